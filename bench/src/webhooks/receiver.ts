// An HTTPS receiver that records arrivals. `/hang` never responds, any other path at once.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Arrivals } from '../harness/fleet.ts'
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'

let arrivals: { id: string; atMs: number }[] = []
const counts = new Map<string, number>()

function serve(request: IncomingMessage, response: ServerResponse): void {
  const atMs = sharedClockMs()
  const kind = request.url?.split('/')[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    // faster than to parse the body
    const id = kind === 'ok' && /"payload":\{"id":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1]
    if (id) arrivals.push({ id, atMs })
    if (kind === 'hang') return
    response.writeHead(200, { 'content-length': 0 }).end()
  })
}

const server = createServer({ cert: process.env.CERTIFICATE, key: process.env.KEY }, serve)
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')

serveCalls({
  port: (): number => (server.address() as AddressInfo).port, // it listens on TCP
  takeArrivals(): Arrivals {
    const list = arrivals
    arrivals = []
    return { ids: list.map(({ id }) => id), atMs: Float64Array.from(list, ({ atMs }) => atMs) }
  },
  count: (kind: string): number => counts.get(kind) ?? 0,
})
