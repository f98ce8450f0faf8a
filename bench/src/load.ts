import { connect, type Socket } from 'node:net'

/** What a load came to. Milliseconds; latency is from the intended time of sending where there is one. */
export interface LoadResult {
  requests: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  max: number
  failures: number
}

interface Target {
  port: number
  /** Whole requests as bytes, used in turn. */
  requests: readonly Buffer[]
  connections: number
  seconds: number
}

/** As fast as the answers come: for throughput. Without `seconds` every request is sent once. */
export async function runClosedLoop(target: Omit<Target, 'seconds'> & { seconds?: number }): Promise<LoadResult> {
  const latencies: number[] = []
  const endsAt = performance.now() + (target.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let next = 0
  let failures = 0
  const started = performance.now()
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
  return summarize(latencies, (performance.now() - started) / 1000, failures)
}

/** At a fixed rate, whatever the answers do: for latency, measured from when each request should have been sent. */
export async function runOpenLoop(target: Target & { rate: number }): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: target.connections }, () => openClient(target.port)))
  const idle = [...clients]
  const waiting: (() => void)[] = []
  const latencies: number[] = []
  let failures = 0
  const started = performance.now()
  const total = target.rate * target.seconds
  const inFlight: Promise<void>[] = []

  async function take() {
    if (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    const client = idle.pop()
    if (client === undefined) throw new Error('a connection was promised')
    return client
  }

  async function one(index: number, intendedAt: number): Promise<void> {
    const client = await take()
    const status = await client.send(target.requests[index % target.requests.length] ?? Buffer.alloc(0))
    latencies.push(performance.now() - intendedAt)
    if (status < 200 || status > 299) failures += 1
    idle.push(client)
    waiting.shift()?.()
  }

  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * target.rate))
    for (; index < due; index += 1) inFlight.push(one(index, started + (index / target.rate) * 1000))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(inFlight)
  for (const client of clients) client.close()
  return summarize(latencies, (performance.now() - started) / 1000, failures)
}

function summarize(latencies: number[], seconds: number, failures: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    requests: sorted.length,
    perSecond: sorted.length / seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    failures,
  }
}

interface Client {
  send(request: Buffer): Promise<number>
  close(): void
}

/** One kept-alive connection with one request at a time; reads answers framed by length or in chunks. */
async function openClient(port: number): Promise<Client> {
  const socket = await connectSocket(port)
  let answer: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let text = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!isComplete(text)) return
    const status = Number(text.slice(9, 12))
    text = ''
    answer?.resolve(status)
  })
  socket.on('close', () => answer?.reject(new Error('the connection was closed')))
  socket.on('error', (error) => answer?.reject(error))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        answer = { resolve, reject }
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
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = text.slice(0, end).toLowerCase()
  const at = head.indexOf('content-length: ')
  if (at < 0) return text.endsWith('0\r\n\r\n')
  return text.length - end - 4 >= Number.parseInt(head.slice(at + 16), 10)
}
