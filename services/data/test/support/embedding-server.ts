import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface EmbeddingRequest {
  model: string
  input: string[]
  dimensions?: number
  input_type?: string
  authorization: IncomingHttpHeaders['authorization']
}

export interface ErrorResponse {
  status: number
  headers?: Record<string, string>
  message?: string
}

/** An OpenAI-compatible embedding server on loopback. */
export interface EmbeddingServer {
  /** The `base_url` of an integration. */
  url: string
  /** All requests for embeddings, oldest first. */
  requests: EmbeddingRequest[]
  /** Returns all requested texts except connection tests. */
  requestedTexts(): string[]
  /** Replaces the response; undefined responds normally, `silence` never responds. */
  override: (request: EmbeddingRequest) => ErrorResponse | 'silence' | undefined
  /** Returns the embedding of a text. */
  embed: (text: string, request: EmbeddingRequest) => number[]
  close(): Promise<void>
}

/** Rows of synonyms; each word counts as the first of its row. */
const synonyms = [
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['buy', 'purchase', 'acquire'],
  ['warm', 'hot', 'heated'],
]
const canonicalWords = new Map(synonyms.flatMap(([first, ...others]) => others.map((word) => [word, first] as const)))

export const defaultDimensions = 256

/** Returns word counts, with synonyms counted together, in dimensions chosen by the hash of each word. */
export function embeddingOf(text: string, dimensions: number = defaultDimensions, salt = ''): number[] {
  const values = new Array<number>(dimensions).fill(0)
  // A vector without words must not have length 0.
  values[0] = 0.01
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const hash = createHash('sha256')
      .update(salt + (canonicalWords.get(word) ?? word))
      .digest()
    const dimension = hash.readUInt32BE(0) % dimensions
    values[dimension] = (values[dimension] ?? 0) + ((hash[4] ?? 0) % 2 === 0 ? 1 : -1)
  }
  return values
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = []
  const self: EmbeddingServer = {
    url: '',
    requests,
    requestedTexts: () => requests.flatMap(({ input }) => input).filter((text) => text !== 'test'),
    override: () => undefined,
    embed: (text, { model, dimensions }) => embeddingOf(text, dimensions, model),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (incoming, response) => {
    const respond = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (incoming.url === '/v1/models') return respond(200, { data: [{ id: 'tiny' }] })
    if (incoming.url !== '/v1/embeddings' || incoming.method !== 'POST') return respond(404, {})
    const body = (await json(incoming)) as Omit<EmbeddingRequest, 'authorization'> // the format of OpenAI's API
    const request: EmbeddingRequest = { ...body, authorization: incoming.headers.authorization }
    requests.push(request)
    const override = self.override(request)
    if (override === 'silence') return
    if (override !== undefined) {
      const { status, headers, message = 'no' } = override
      return respond(status, { error: { message } }, headers)
    }
    const data = request.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: self.embed(text, request),
    }))
    // The API allows any order.
    respond(200, { object: 'list', model: request.model, data: data.reverse() })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has such an address
  self.url = `http://127.0.0.1:${port}/v1`
  return self
}
