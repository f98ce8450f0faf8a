import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** One request for embeddings. */
export interface EmbeddingRequest {
  model: string
  input: string[]
  dimensions?: number
  authorization: IncomingHttpHeaders['authorization']
}

export interface ErrorResponse {
  status: number
  headers?: Record<string, string>
}

/** A server that speaks OpenAI's interface, on loopback. */
export interface EmbeddingServer {
  /** As an integration's `base_url`. */
  url: string
  requests: EmbeddingRequest[]
  /** All texts it was asked for, but for those that only try it. */
  requestedTexts(): string[]
  /** What it does instead of answering; undefined: it answers. `silence`: nothing. */
  override: (asked: EmbeddingRequest) => ErrorResponse | 'silence' | undefined
  /** What it makes of a text. */
  embed: (text: string, asked: EmbeddingRequest) => number[]
  close(): Promise<void>
}

/** Words of one meaning; each is the first of its row. */
const synonyms = [
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['buy', 'purchase', 'acquire'],
  ['warm', 'hot', 'heated'],
]
const meanings = new Map(synonyms.flatMap(([first, ...others]) => others.map((word) => [word, first] as const)))

export const defaultDimensions = 256

/** What a text is about: how often each word comes, by one of its meaning, in a place that the word's hash says. */
export function embeddingOf(text: string, dimensions: number = defaultDimensions, salt = ''): number[] {
  const values = new Array<number>(dimensions).fill(0)
  // A little of everything, so that no text is about nothing.
  values[0] = 0.01
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const hash = createHash('sha256')
      .update(salt + (meanings.get(word) ?? word))
      .digest()
    const place = hash.readUInt32BE(0) % dimensions
    values[place] = (values[place] ?? 0) + ((hash[4] ?? 0) % 2 === 0 ? 1 : -1)
  }
  return values
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: EmbeddingRequest[] = []
  const own: EmbeddingServer = {
    url: '',
    requests: asked,
    requestedTexts: () => asked.flatMap(({ input }) => input).filter((text) => text !== 'test'),
    override: () => undefined,
    embed: (text, { model, dimensions }) => embeddingOf(text, dimensions, model),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url === '/v1/models') return answer(200, { data: [{ id: 'tiny' }] })
    if (request.url !== '/v1/embeddings' || request.method !== 'POST') return answer(404, {})
    const body = (await json(request)) as Omit<EmbeddingRequest, 'authorization'> // what OpenAI's interface says is sent
    const one: EmbeddingRequest = { ...body, authorization: request.headers.authorization }
    asked.push(one)
    const other = own.override(one)
    if (other === 'silence') return
    if (other !== undefined) return answer(other.status, { error: { message: 'no' } }, other.headers)
    // Out of order, as the interface allows.
    const data = one.input.map((text, index) => ({ object: 'embedding', index, embedding: own.embed(text, one) }))
    answer(200, { object: 'list', model: one.model, data: data.reverse() })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address
  own.url = `http://127.0.0.1:${port}/v1`
  return own
}
