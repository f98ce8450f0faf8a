import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createInFlightRequests, createLogger, createMetrics, type MetricsRegistry, sendProblem } from '@wp/service'
import { eventually } from '@wp/testkit'
import { createForwarder, type ForwarderOptions } from '../../src/forward/forward.ts'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'
import { createOpenStreams, type OpenStreams } from '../../src/forward/sse.ts'
import type { TransportName } from '../../src/forward/transport.ts'
import { respondToMalformedRequest } from '../../src/malformed-request.ts'
import { openRaw, type RawConnection } from '../raw-connection.ts'

/** One connection as the service sees it: exactly the bytes that came, and exactly those it says. */
export interface Peer {
  socket: Socket
  received(): string
  /** Takes the head of a request that has come and was not taken yet. */
  takeHead(): string | undefined
  /** Waits until what came matches. */
  until(pattern: RegExp): Promise<string>
  say(text: string): void
  untilClosed(): Promise<void>
}

/** A service of bytes. */
export interface Upstream {
  url: string
  connections(): number
  /** Waits for the next request, over whatever connection it comes. */
  request(): Promise<{ peer: Peer; head: string }>
  stop(): void
}

export async function startUpstream(): Promise<Upstream> {
  const peers: Peer[] = []
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => peers.push(peerOf(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function takeRequest() {
    for (const peer of peers) {
      const head = peer.takeHead()
      if (head !== undefined) return { peer, head }
    }
    throw new Error(`there is none among ${peers.length} connections`)
  }
  return {
    url: urlOf(server.address()),
    connections: () => peers.length,
    request: () => eventually(takeRequest, { ...patience, description: 'a request to the service' }),
    stop() {
      for (const { socket } of peers) socket.destroy()
      server.close()
    },
  }
}

const patience = { timeoutMs: 5000, everyMs: 5 }

function peerOf(socket: Socket): Peer {
  let received = ''
  let taken = 0
  let isClosed = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined) // what matters is that it closes
  socket.on('end', () => socket.end())
  socket.on('close', () => {
    isClosed = true
  })
  return {
    socket,
    received: () => received,
    takeHead() {
      const end = received.indexOf('\r\n\r\n', taken) + 4
      if (end === 3) return undefined
      const head = received.slice(taken, end)
      taken = end
      return /^[A-Z]+ \//.test(head) ? head : undefined
    },
    async until(pattern) {
      const what = `${pattern} in ${received.slice(0, 500)}`
      await eventually(() => pattern.test(received), { ...patience, description: what })
      return received
    },
    say: (text) => void socket.write(text, 'latin1'),
    untilClosed: async () =>
      void (await eventually(() => isClosed, { ...patience, description: 'the end of a connection' })),
  }
}

/** An edge that only forwards. */
export interface Harness {
  upstream: Upstream
  url: string
  metrics: MetricsRegistry
  openStreams: OpenStreams
  /** Opens a connection and sends a request over it. */
  ask(head: string, body?: string): Promise<RawConnection>
  /** Asks, has the service answer, and gives the whole of what the client got. */
  roundTrip(head: string, answer: string, body?: string): Promise<{ seen: string; got: string }>
  stop(): Promise<void>
}

type Overrides = Partial<Omit<ForwarderOptions, 'metrics' | 'openStreams'>> & { idleMs?: number; target?: string }

/** Milliseconds; long enough not to happen by chance, short enough to wait for. */
const usual = {
  connections: 8,
  connectMs: 1000,
  eventsIdleMs: 5000,
  circuit: { failures: 1000, openMs: 200 },
  slowBody: { windowMs: 5000, bytesPerSecond: 100 },
  now: Date.now,
}

export async function startHarness(
  carrier: TransportName,
  { idleMs = 5000, target, ...overrides }: Overrides = {},
): Promise<Harness> {
  const upstream = await startUpstream()
  const metrics = createMetrics('gateway', { process: false })
  const openStreams = createOpenStreams()
  const { forward, close } = createForwarder({ ...usual, ...overrides, metrics, openStreams })
  const exchanges = createInFlightRequests()
  const log = createLogger('gateway', 'silent')
  const base = 'http://127.0.0.1'

  function serve(request: IncomingMessage, response: ServerResponse): void {
    exchanges.trackRequest(response)
    response.setHeader('vary', 'origin')
    sanitizeHeaders(request.headers, { basic: false, cookies: false })
    const refuseWith = (thrown: unknown) => sendProblem(response, thrown, { base, requestId: 'req-12345678', log })
    forward(request, response, { target: target ?? upstream.url, transport: carrier, idleMs, onFailure: refuseWith })
  }
  const server = createServer(serve)
  server.on('connection', (connection) => exchanges.trackConnection(connection))
  server.on('checkContinue', (request, response) => {
    response.writeContinue()
    serve(request, response)
  })
  server.on('clientError', (error, connection) => respondToMalformedRequest(error, connection, exchanges, base))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = urlOf(server.address())

  async function ask(head: string, body = '') {
    const client = openRaw(url)
    await client.write(`${head}\r\n\r\n${body}`)
    return client
  }
  return {
    upstream,
    url,
    metrics,
    openStreams,
    ask,
    async roundTrip(head, answer, body) {
      const client = await ask(`${head}\r\nHost: edge\r\nConnection: close`, body)
      const { peer, head: seen } = await upstream.request()
      peer.say(answer)
      return { seen, got: await client.untilClosed() }
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await close()
      upstream.stop()
    },
  }
}

const urlOf = (address: AddressInfo | string | null) =>
  `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
