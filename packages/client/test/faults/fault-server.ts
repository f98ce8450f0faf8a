import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scenarios } from './scenarios.ts'

/** A request that the server received. */
export interface LoggedRequest {
  method: string
  path: string
  idempotencyKey: string | undefined
  lastEventId: string | undefined
  bytes: number
}

export interface FaultServer {
  url: string
  stop(): Promise<void>
}

/**
 * Starts a server on loopback that answers as a scenario says. The base URL of a client is `<url>/<scenario>/<id>`:
 * every id begins with the first answer. `GET /scenarios` lists the scenarios, `GET /requests/<scenario>/<id>` the
 * requests of an id.
 */
export async function startFaultServer(): Promise<FaultServer> {
  const log = new Map<string, LoggedRequest[]>()
  const server = createServer((request, response) => void answer(request, response, log))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  log: Map<string, LoggedRequest[]>,
): Promise<void> {
  const [, first = '', second = '', ...rest] = (request.url ?? '').split('/')
  const sendJson = (value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (first === 'scenarios') return void sendJson(scenarios)
  if (first === 'requests') return void sendJson(log.get(`${second}/${rest[0]}`) ?? [])
  const scenario = scenarios.find(({ name }) => name === first)
  if (scenario === undefined) return void response.writeHead(404).end()
  const id = `${first}/${second}`
  const requests = log.get(id) ?? []
  log.set(id, requests)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const reply = scenario.answers[Math.min(requests.length, scenario.answers.length - 1)]
  const path = `/${rest.join('/')}`
  requests.push({
    method: request.method ?? '',
    path,
    idempotencyKey: readHeader(request, 'idempotency-key'),
    lastEventId: readHeader(request, 'last-event-id'),
    bytes: body.length,
  })
  reply?.({ request, response, path, body })
}

function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
