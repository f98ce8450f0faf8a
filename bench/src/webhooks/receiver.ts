// A lean HTTPS receiver that keeps when what came. `/ok` answers at once, `/hang` never, `/flap/<n>`, when told so, is
// well for a second and fails for the next, one half of them while the other is well.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { answer, sharedClockMs } from './helper-process.ts'

/** What came to a path since it was asked last: what the event is about, and when its request was there. */
export interface Arrivals {
  ids: string[]
  atMs: Float64Array
}

const arrivals = new Map<string, { id: string; atMs: number }[]>()
const counts = new Map<string, number>()
let isFlapping = false

function serve(request: IncomingMessage, response: ServerResponse): void {
  const atMs = sharedClockMs()
  const kind = request.url?.split('/')[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (kind === 'ok') recordArrival('ok', chunks, atMs)
    if (kind === 'hang') return
    response.writeHead(kind === 'flap' && isFailing(request.url) ? 500 : 200, { 'content-length': 0 }).end()
  })
}

function recordArrival(kind: string, chunks: readonly Buffer[], atMs: number): void {
  // Cheaper than to parse all of it; ours are the only bodies that come here.
  const id = /"payload":\{"id":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1]
  if (id === undefined) return
  const list = arrivals.get(kind) ?? []
  list.push({ id, atMs })
  arrivals.set(kind, list)
}

const isFailing = (url = ''): boolean =>
  isFlapping && (Math.floor(Date.now() / 1000) + Number(url.split('/')[2])) % 2 === 0

const server = createServer({ cert: process.env.CERTIFICATE, key: process.env.KEY }, serve)
server.keepAliveTimeout = 65_000
server.listen(Number(process.env.PORT), '127.0.0.1')

answer({
  takeArrivals(kind: string): Arrivals {
    const list = arrivals.get(kind) ?? []
    arrivals.delete(kind)
    return { ids: list.map(({ id }) => id), atMs: Float64Array.from(list, ({ atMs }) => atMs) }
  },
  count: (kind: string): number => counts.get(kind) ?? 0,
  /** From now on `/flap` does what its name says; until then all there is well. */
  setFlapping(on: boolean): void {
    isFlapping = on
  },
})
