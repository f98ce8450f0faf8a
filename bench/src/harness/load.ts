import { connect, type Socket } from 'node:net'
import { quantile } from './statistics.ts'

/** Latencies are in milliseconds. In an open loop they count from the time at which the request was due. */
export interface LoadResult {
  requests: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  max: number
  /** Responses with a status other than 2xx. */
  failures: number
}

interface Target {
  port: number
  /** Complete requests in the wire format, sent in turn. */
  requests: readonly Buffer[]
  connections: number
  seconds: number
}

/**
 * Measures throughput: each connection sends its next request when the last one was answered.
 *
 * @param target without `seconds` each request is sent once
 */
export async function runClosedLoop(target: Omit<Target, 'seconds'> & { seconds?: number }): Promise<LoadResult> {
  const latencies: number[] = []
  const endsAt = performance.now() + (target.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let next = 0
  let failures = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: target.connections }, async () => {
      const client = await openClient(target.port)
      while (performance.now() < endsAt && (target.seconds !== undefined || next < target.requests.length)) {
        const request = target.requests[next++ % target.requests.length]
        if (request === undefined) break
        const sentAt = performance.now()
        const status = await client.send(request)
        latencies.push(performance.now() - sentAt)
        if (status < 200 || status > 299) failures += 1
      }
      client.close()
    }),
  )
  return summarize(latencies, (performance.now() - startedAt) / 1000, failures)
}

/**
 * Measures latency at a fixed rate: a request is due at its time even if earlier ones have not been answered.
 *
 * @param target `rate` is in requests per second
 */
export async function runOpenLoop(target: Target & { rate: number }): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: target.connections }, () => openClient(target.port)))
  const idle = [...clients]
  const waiting: (() => void)[] = []
  const latencies: number[] = []
  let failures = 0
  const startedAt = performance.now()
  const total = target.rate * target.seconds
  const inFlight: Promise<void>[] = []

  async function takeClient() {
    if (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    const client = idle.pop()
    if (client === undefined) throw new Error('no idle connection')
    return client
  }

  async function send(index: number, dueAt: number): Promise<void> {
    const client = await takeClient()
    const status = await client.send(target.requests[index % target.requests.length] ?? Buffer.alloc(0))
    latencies.push(performance.now() - dueAt)
    if (status < 200 || status > 299) failures += 1
    idle.push(client)
    waiting.shift()?.()
  }

  for (let index = 0; index < total; ) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * target.rate))
    for (; index < dueCount; index += 1) inFlight.push(send(index, startedAt + (index / target.rate) * 1000))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(inFlight)
  for (const client of clients) client.close()
  return summarize(latencies, (performance.now() - startedAt) / 1000, failures)
}

function summarize(latencies: number[], seconds: number, failures: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort()
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
    failures,
  }
}

interface Client {
  send(request: Buffer): Promise<number>
  close(): void
}

/**
 * Opens a persistent connection that carries one request at a time. It reads responses with a Content-Length or in
 * chunks.
 */
async function openClient(port: number): Promise<Client> {
  const socket = await connectSocket(port)
  let pending: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
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
    send: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function connectSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })
}

function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const head = text.slice(0, headEnd).toLowerCase()
  const lengthAt = head.indexOf('content-length: ')
  if (lengthAt < 0) return text.endsWith('0\r\n\r\n')
  return text.length - headEnd - 4 >= Number.parseInt(head.slice(lengthAt + 16), 10)
}
