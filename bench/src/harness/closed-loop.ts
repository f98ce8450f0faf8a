import { connect } from 'node:net'
import { type Summary, summarize } from './open-loop.ts'

interface ClosedLoop {
  /** The URL of a server on loopback. */
  url: string
  /** Complete requests in the wire format, sent in turn. */
  requests: readonly Buffer[]
  connections: number
  /** Without, each request is sent once. */
  seconds?: number
}

/** Measures throughput: each connection sends its next request when the last one was answered. */
export async function runClosedLoop({ url, requests, connections, seconds }: ClosedLoop): Promise<Summary> {
  const outcomes: { status: number; latencyMs: number }[] = []
  const endsAt = performance.now() + (seconds ?? Number.POSITIVE_INFINITY) * 1000
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await openClient(url)
      while (performance.now() < endsAt && (seconds !== undefined || next < requests.length)) {
        const request = requests[next++ % requests.length]
        if (request === undefined) break
        const sentAt = performance.now()
        const status = await client.send(request)
        outcomes.push({ status, latencyMs: performance.now() - sentAt })
      }
      client.close()
    }),
  )
  return summarize(outcomes, (performance.now() - startedAt) / 1000)
}

/** Maps the items to results, a limited number at a time. The results are in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const entries = items.entries()
  const workInTurn = async () => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, workInTurn))
  return results
}

/** Returns a request in the wire format. @param header a header line, such as that of a credential */
export function wireRequest(path: string, header: string, body?: string): Buffer {
  const content =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const method = body === undefined ? 'GET' : 'POST'
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: bench\r\n${content}${header}\r\n\r\n${body ?? ''}`)
}

/**
 * Opens a connection that carries one request at a time. It reads responses with a Content-Length or in chunks, and
 * costs less than a client of HTTP.
 */
async function openClient(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let pending: PromiseWithResolvers<number> | undefined
  let text = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!isComplete(text)) return
    const status = Number(text.slice(9, 12))
    text = ''
    pending?.resolve(status)
  })
  socket.on('close', () => pending?.reject(new Error('the connection was closed')))
  socket.on('error', (error) => pending?.reject(error))
  return {
    /** @returns the status of the response */
    send(request: Buffer): Promise<number> {
      pending = Promise.withResolvers()
      socket.write(request)
      return pending.promise
    },
    close: () => socket.destroy(),
  }
}

function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const head = text.slice(0, headEnd).toLowerCase()
  const lengthAt = head.indexOf('content-length: ')
  if (lengthAt < 0) return text.endsWith('0\r\n\r\n')
  return text.length - headEnd - 4 >= Number.parseInt(head.slice(lengthAt + 16), 10)
}
