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

/** The service's end of one connection: the bytes received, and exactly the bytes sent. */
export interface Peer {
  socket: Socket
  received(): string
  /** Takes the head of the next request that has arrived. */
  takeRequestHead(): string | undefined
  /** Waits until the received text matches. */
  waitFor(pattern: RegExp): Promise<string>
  send(text: string): void
  waitForClose(): Promise<void>
}

/** A service that is scripted byte by byte. */
export interface Upstream {
  url: string
  connections(): number
  /** Waits for the next request on any connection. */
  nextRequest(): Promise<{ peer: Peer; head: string }>
  stop(): void
}

export async function startUpstream(): Promise<Upstream> {
  const peers: Peer[] = []
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => peers.push(peerOf(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function takeRequest() {
    for (const peer of peers) {
      const head = peer.takeRequestHead()
      if (head !== undefined) return { peer, head }
    }
    throw new Error(`no request on ${peers.length} connections`)
  }
  return {
    url: urlOf(server.address()),
    connections: () => peers.length,
    nextRequest: () => eventually(takeRequest, { ...waitOptions, description: 'a request to the service' }),
    stop() {
      for (const { socket } of peers) socket.destroy()
      server.close()
    },
  }
}

const waitOptions = { intervalMs: 5 }

function peerOf(socket: Socket): Peer {
  let received = ''
  let taken = 0
  let isClosed = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined) // reported by `close`
  socket.on('end', () => socket.end())
  socket.on('close', () => {
    isClosed = true
  })
  return {
    socket,
    received: () => received,
    takeRequestHead() {
      const end = received.indexOf('\r\n\r\n', taken) + 4
      if (end === 3) return undefined
      const head = received.slice(taken, end)
      taken = end
      return /^[A-Z]+ \//.test(head) ? head : undefined
    },
    async waitFor(pattern) {
      const what = `${pattern} in ${received.slice(0, 500)}`
      await eventually(() => pattern.test(received), { ...waitOptions, description: what })
      return received
    },
    send: (text) => void socket.write(text, 'latin1'),
    waitForClose: async () =>
      void (await eventually(() => isClosed, { ...waitOptions, description: 'a connection to close' })),
  }
}

/** An edge that only forwards, and the service it forwards to. */
export interface Harness {
  upstream: Upstream
  url: string
  metrics: MetricsRegistry
  openStreams: OpenStreams
  /** Opens a client connection and sends a request. */
  sendRequest(head: string, body?: string): Promise<RawConnection>
  /** Sends a request, has the service respond, and returns what each received. */
  roundTrip(head: string, response: string, body?: string): Promise<{ requestHead: string; response: string }>
  close(): Promise<void>
}

type Overrides = Partial<Omit<ForwarderOptions, 'metrics' | 'openStreams'>> & { idleMs?: number; target?: string }

/** Timeouts that do not expire by chance but keep tests short, in milliseconds. */
const defaults = {
  connections: 8,
  connectMs: 1000,
  eventsIdleMs: 5000,
  circuit: { failures: 1000, openMs: 200 },
  slowBody: { windowMs: 5000, bytesPerSecond: 100 },
  now: Date.now,
}

export async function startHarness(
  transport: TransportName,
  { idleMs = 5000, target, ...overrides }: Overrides = {},
): Promise<Harness> {
  const upstream = await startUpstream()
  const metrics = createMetrics('gateway', { process: false })
  const openStreams = createOpenStreams()
  const { forward, close } = createForwarder({ ...defaults, ...overrides, metrics, openStreams })
  const inFlight = createInFlightRequests()
  const log = createLogger('gateway', 'silent')
  const base = 'http://127.0.0.1'

  function serve(request: IncomingMessage, response: ServerResponse): void {
    inFlight.trackRequest(response)
    response.setHeader('vary', 'origin')
    sanitizeHeaders(request.headers, {})
    const reject = (error: unknown) => sendProblem(response, error, { base, requestId: 'req-12345678', log })
    forward(request, response, { target: target ?? upstream.url, transport, idleMs, onFailure: reject })
  }
  const server = createServer(serve)
  server.on('connection', (connection) => inFlight.trackConnection(connection))
  server.on('checkContinue', (request, response) => {
    response.writeContinue()
    serve(request, response)
  })
  server.on('clientError', (error, connection) => respondToMalformedRequest(error, connection, inFlight, base))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = urlOf(server.address())

  async function sendRequest(head: string, body = '') {
    const client = openRaw(url)
    await client.write(`${head}\r\n\r\n${body}`)
    return client
  }
  return {
    upstream,
    url,
    metrics,
    openStreams,
    sendRequest,
    async roundTrip(head, response, body) {
      const client = await sendRequest(`${head}\r\nHost: edge\r\nConnection: close`, body)
      const { peer, head: requestHead } = await upstream.nextRequest()
      peer.send(response)
      return { requestHead, response: await client.waitForClose() }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await close()
      upstream.stop()
    },
  }
}

const urlOf = (address: AddressInfo | string | null) =>
  `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
