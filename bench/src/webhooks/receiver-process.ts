// An HTTPS receiver that records arrivals. `/hang` never responds, any other path at once.
import { serveCalls, sharedClockMs } from '../harness/helper-process.ts'
import { serverIdentity, startServer } from '../harness/loopback-server.ts'
import type { Arrivals } from './receiver.ts'

let arrivals: { id: string; atMs: number }[] = []
const counts = new Map<string, number>()

const server = await startServer((request, response) => {
  const atMs = sharedClockMs()
  const kind = request.url?.split('/')[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    // faster than to parse the body
    const id = kind === 'ok' && /"payload":\{"id":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1]
    if (id) arrivals.push({ id, atMs })
    if (kind !== 'hang') response.writeHead(200, { 'content-length': 0 }).end()
  })
}, serverIdentity())

serveCalls({
  url: () => server.url,
  takeArrivals(): Arrivals {
    const list = arrivals
    arrivals = []
    return { ids: list.map(({ id }) => id), atMs: Float64Array.from(list, ({ atMs }) => atMs) }
  },
  count: (kind: string): number => counts.get(kind) ?? 0,
})
