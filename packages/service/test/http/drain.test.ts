import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { closeServer, createInFlightRequests, type DrainOptions, drainServer, listenOn } from '../../src/index.ts'

interface TestServer {
  port: number
  server: Server
  /** Targets of requests that were served. */
  served: string[]
  /** Lets the server respond to `/slow`, and to `/begun`, whose head is sent at once. */
  release(): void
  drain(options?: Partial<DrainOptions>): Promise<void>
}

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(closeServer))
})

const delayedTargets = new Set(['/slow', '/begun'])

/** Starts a server that responds to `/slow` and `/begun` when released, and to everything else at once. */
async function startServer(port = 0): Promise<TestServer> {
  const inFlight = createInFlightRequests()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const served: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (!inFlight.trackRequest(response)) return
    served.push(request.url ?? '')
    if (request.url === '/begun') response.flushHeaders()
    if (request.url !== undefined && delayedTargets.has(request.url)) await released
    response.end(`${request.url} done`)
  }
  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', (connection) => inFlight.trackConnection(connection))
  servers.push(server)
  const opened = await listenOn(server, '127.0.0.1', port, { reusePort: true })
  return {
    port: opened,
    server,
    served,
    release,
    drain: (options) => drainServer(server, inFlight, { drainMs: 0, graceMs: 5000, ...options }),
  }
}

interface Client {
  socket: Socket
  received(): string
  request(...targets: string[]): void
  closed: Promise<unknown>
}

function connectClient(port: number): Client {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  return {
    socket,
    received: () => received,
    request: (...targets) =>
      void socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
    closed: once(socket, 'close'), // rejects if the connection is reset
  }
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

describe('drainServer', () => {
  it('serves old and new connections while it drains, and marks each response as the last of its connection', async () => {
    const { port, drain, server } = await startServer()
    const old = connectClient(port)
    old.request('/a')
    await eventually(() => old.received().endsWith('/a done'))
    expect(old.received()).toMatch(/connection: keep-alive/i)
    const drained = drain({ drainMs: 1_000 })
    old.request('/b')
    const fresh = connectClient(port)
    fresh.request('/c')
    await Promise.all([old.closed, fresh.closed])
    expect(server.listening).toBe(true)
    expect(old.received()).toMatch(/connection: close[\s\S]*\/b done/i)
    expect(fresh.received()).toMatch(/connection: close[\s\S]*\/c done/i)
    await drained
    expect(await isListening(port)).toBe(false)
  })

  it('waits for requests in flight after it has stopped listening', async () => {
    const { port, drain, server, served, release } = await startServer()
    const slow = connectClient(port)
    slow.request('/slow')
    await eventually(() => served.length === 1)
    const drained = drain()
    await eventually(() => !server.listening)
    release()
    await slow.closed
    expect(slow.received()).toMatch(/connection: close[\s\S]*\/slow done/i)
    await drained
  })

  it('aborts requests in flight after the grace period', async () => {
    const { port, drain, served } = await startServer()
    const slow = connectClient(port)
    slow.closed.catch(() => undefined)
    slow.request('/slow')
    await eventually(() => served.length === 1)
    await drain({ graceMs: 50 })
    expect(slow.received()).toBe('')
  })

  it('closes an idle connection with a FIN, but not one on which a request is arriving', async () => {
    const { port, drain } = await startServer()
    const [idle, unused, arriving] = [connectClient(port), connectClient(port), connectClient(port)]
    idle.request('/a')
    await eventually(() => idle.received().endsWith('/a done'))
    const drained = drain({ drainMs: 1_000 })
    arriving.socket.write('GET /late HTTP/1.1\r\n')
    const trickle = setInterval(() => arriving.socket.write('x-more: x\r\n'), 40)
    await Promise.all([idle.closed, unused.closed]) // a reset would reject
    expect(arriving.socket.closed).toBe(false)
    clearInterval(trickle)
    arriving.socket.write('Host: x\r\n\r\n')
    await arriving.closed
    expect(arriving.received()).toMatch(/connection: close[\s\S]*\/late done/i)
    await drained
  })

  it('waits for the next request when the previous response could not be marked as the last', async () => {
    const { port, drain, server, served, release } = await startServer()
    const begun = connectClient(port)
    begun.request('/begun')
    await eventually(() => served.length === 1)
    const drained = drain({ drainMs: 1_000 })
    release()
    await eventually(() => begun.received().includes('/begun done'), { intervalMs: 1 })
    await eventually(() => !server.listening, { intervalMs: 1 })
    begun.request('/next')
    await begun.closed
    expect(begun.received()).toMatch(/keep-alive[\s\S]*\/begun done[\s\S]*connection: close[\s\S]*\/next done/i)
    await drained
  })

  it('does not wait for a client that does not close its half of the connection', async () => {
    const { port, drain } = await startServer()
    const half = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
    half.resume()
    await once(half, 'connect')
    await isListening(port)
    await drain()
    half.destroy()
  })

  it('responds to all pipelined requests and marks the last response', async () => {
    const { port, drain, served, release } = await startServer()
    const pipelining = connectClient(port)
    pipelining.request('/slow')
    await eventually(() => served.length === 1)
    const drained = drain({ drainMs: 1_000 })
    pipelining.request('/slow')
    await eventually(() => served.length === 2)
    release()
    await pipelining.closed
    const [first = '', second = ''] = pipelining.received().split('/slow done')
    expect(first).not.toMatch(/connection: close/i)
    expect(second).toMatch(/connection: close/i)
    await drained
  })

  it('does not serve a request that follows the last response of a connection', async () => {
    const { port, drain, served, release } = await startServer()
    const pipelining = connectClient(port)
    pipelining.request('/slow')
    await eventually(() => served.length === 1)
    const drained = drain({ drainMs: 1_000 })
    // the second response is complete, but not sent, when the third request is read
    pipelining.request('/b', '/c')
    await eventually(() => served.length === 2)
    release()
    await pipelining.closed
    expect(pipelining.received()).toMatch(/\/slow done[\s\S]*close[\s\S]*\/b done$/i)
    expect(served).toEqual(['/slow', '/b'])
    await drained
  })

  it('calls onDrained when it stops listening', async () => {
    const { drain, server } = await startServer()
    const wasListening: boolean[] = []
    const drained = drain({ drainMs: 20, onDrained: () => void wasListening.push(server.listening) })
    expect(wasListening).toEqual([])
    await drained
    expect(wasListening).toEqual([true])
  })
})

describe('a port shared by two servers', () => {
  it('is served without errors while one of them drains', async () => {
    const first = await startServer()
    const second = await startServer(first.port)
    const request = async () => {
      const { received, request, closed, socket } = connectClient(first.port)
      request('/x')
      await eventually(() => received().endsWith('done'), { intervalMs: 1 })
      socket.end()
      await closed
    }
    for (let count = 0; count < 40; count += 1) await request()
    expect(first.served.length * second.served.length).toBeGreaterThan(0)
    await first.drain()
    for (let count = 0; count < 40; count += 1) await request()
    expect(first.served.length + second.served.length).toBe(80)
  })
})
