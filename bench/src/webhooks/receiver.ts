// An HTTPS receiver that records arrivals. `/hang` never responds, any other path at once.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'

/** The arrivals at a path since the last call. */
export interface Arrivals {
  /** The `id` of each payload. */
  ids: string[]
  atMs: Float64Array
}

const arrivals = new Map<string, { id: string; atMs: number }[]>()
const counts = new Map<string, number>()

function serve(request: IncomingMessage, response: ServerResponse): void {
  const atMs = sharedClockMs()
  const kind = request.url?.split('/')[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (kind === 'ok') recordArrival('ok', chunks, atMs)
    if (kind === 'hang') return
    response.writeHead(200, { 'content-length': 0 }).end()
  })
}

function recordArrival(kind: string, chunks: readonly Buffer[], atMs: number): void {
  // faster than to parse the body
  const id = /"payload":\{"id":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1]
  if (id === undefined) return
  const list = arrivals.get(kind) ?? []
  list.push({ id, atMs })
  arrivals.set(kind, list)
}

const server = createServer({ cert: process.env.CERTIFICATE, key: process.env.KEY }, serve)
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')

serveCalls({
  port: (): number => (server.address() as AddressInfo).port, // it listens on TCP
  takeArrivals(kind: string): Arrivals {
    const list = arrivals.get(kind) ?? []
    arrivals.delete(kind)
    return { ids: list.map(({ id }) => id), atMs: Float64Array.from(list, ({ atMs }) => atMs) }
  },
  count: (kind: string): number => counts.get(kind) ?? 0,
})
