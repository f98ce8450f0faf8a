import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { closeServer, createInFlightRequests, type DrainOptions, drainServer, listenOn } from '../src/index.ts'

interface Standing {
  port: number
  server: Server
  /** Targets of requests that were served. */
  served: string[]
  /** Lets `/slow` answer, and `/begun`, whose head is out before. */
  release(): void
  retire(ending?: Partial<DrainOptions>): Promise<void>
}

const standing: Server[] = []
afterEach(async () => {
  await Promise.all(standing.splice(0).map(closeServer))
})

const waiting = new Set(['/slow', '/begun'])

/** A server as ours are, that answers `/slow` and `/begun` when it is let and everything else at once. */
async function stand(port = 0): Promise<Standing> {
  const exchanges = createInFlightRequests()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const served: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (!exchanges.trackRequest(response)) return
    served.push(request.url ?? '')
    if (request.url === '/begun') response.flushHeaders()
    if (request.url !== undefined && waiting.has(request.url)) await released
    response.end(`${request.url} done`)
  }
  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', (connection) => exchanges.trackConnection(connection))
  standing.push(server)
  const opened = await listenOn(server, '127.0.0.1', port, { reusePort: true })
  return {
    port: opened,
    server,
    served,
    release,
    retire: (ending) => drainServer(server, exchanges, { drainMs: 0, graceMs: 5000, ...ending }),
  }
}

interface Client {
  socket: Socket
  said(): string
  ask(...targets: string[]): void
  closed: Promise<unknown>
}

function client(port: number): Client {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  socket.on('data', (chunk) => {
    said += String(chunk)
  })
  return {
    socket,
    said: () => said,
    ask: (...targets) =>
      void socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
    closed: once(socket, 'close'), // rejects where the end is a reset
  }
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

describe('a server that ends', () => {
  it('goes on serving while it drains, old connections and new, and says that each answer is their last', async () => {
    const { port, retire, server } = await stand()
    const old = client(port)
    old.ask('/a')
    await eventually(() => old.said().endsWith('/a done'))
    expect(old.said()).toMatch(/connection: keep-alive/i)
    const ended = retire({ drainMs: 300 })
    old.ask('/b')
    const fresh = client(port)
    fresh.ask('/c')
    await Promise.all([old.closed, fresh.closed])
    expect(server.listening).toBe(true)
    expect(old.said()).toMatch(/connection: close[\s\S]*\/b done/i)
    expect(fresh.said()).toMatch(/connection: close[\s\S]*\/c done/i)
    await ended
    expect(await isListening(port)).toBe(false)
  })

  it('waits for what is under way when it no longer listens', async () => {
    const { port, retire, server, served, release } = await stand()
    const slow = client(port)
    slow.ask('/slow')
    await eventually(() => served.length === 1)
    const ended = retire()
    await eventually(() => !server.listening)
    release()
    await slow.closed
    expect(slow.said()).toMatch(/connection: close[\s\S]*\/slow done/i)
    await ended
  })

  it('cuts what takes longer than it may', async () => {
    const { port, retire, served } = await stand()
    const slow = client(port)
    slow.closed.catch(() => undefined)
    slow.ask('/slow')
    await eventually(() => served.length === 1)
    await retire({ graceMs: 50 })
    expect(slow.said()).toBe('')
  })

  it('ends what is quiet by a FIN, and never while a request is arriving', async () => {
    const { port, retire } = await stand()
    const [quiet, never, arriving] = [client(port), client(port), client(port)]
    quiet.ask('/a')
    await eventually(() => quiet.said().endsWith('/a done'))
    const ended = retire({ drainMs: 200 })
    arriving.socket.write('GET /late HTTP/1.1\r\n')
    const dripping = setInterval(() => arriving.socket.write('x-more: x\r\n'), 40)
    await Promise.all([quiet.closed, never.closed]) // a reset would throw
    expect(arriving.socket.closed).toBe(false)
    clearInterval(dripping)
    arriving.socket.write('Host: x\r\n\r\n')
    await arriving.closed
    expect(arriving.said()).toMatch(/connection: close[\s\S]*\/late done/i)
    await ended
  })

  it('waits for the next request where the answer before could not say that it was the last', async () => {
    const { port, retire, server, served, release } = await stand()
    const begun = client(port)
    begun.ask('/begun')
    await eventually(() => served.length === 1)
    const ended = retire({ drainMs: 200 })
    release()
    await eventually(() => begun.said().includes('/begun done'), { intervalMs: 1 })
    await eventually(() => !server.listening, { intervalMs: 1 })
    begun.ask('/next')
    await begun.closed
    expect(begun.said()).toMatch(/keep-alive[\s\S]*\/begun done[\s\S]*connection: close[\s\S]*\/next done/i)
    await ended
  })

  it('does not wait for who keeps its half open', async () => {
    const { port, retire } = await stand()
    const half = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
    half.resume()
    await once(half, 'connect')
    await isListening(port)
    await retire()
    half.destroy()
  })

  it('answers all that was pipelined before, the last one as the last', async () => {
    const { port, retire, served, release } = await stand()
    const pipelining = client(port)
    pipelining.ask('/slow')
    await eventually(() => served.length === 1)
    const ended = retire({ drainMs: 100 })
    pipelining.ask('/slow')
    await eventually(() => served.length === 2)
    release()
    await pipelining.closed
    const [first = '', second = ''] = pipelining.said().split('/slow done')
    expect(first).not.toMatch(/connection: close/i)
    expect(second).toMatch(/connection: close/i)
    await ended
  })

  it('serves nothing behind the last answer of a connection', async () => {
    const { port, retire, served, release } = await stand()
    const pipelining = client(port)
    pipelining.ask('/slow')
    await eventually(() => served.length === 1)
    const ended = retire({ drainMs: 100 })
    // the second is answered, though not yet sent, when the third is read
    pipelining.ask('/b', '/c')
    await eventually(() => served.length === 2)
    release()
    await pipelining.closed
    expect(pipelining.said()).toMatch(/\/slow done[\s\S]*close[\s\S]*\/b done$/i)
    expect(served).toEqual(['/slow', '/b'])
    await ended
  })

  it('tells those that would never end when it stops listening', async () => {
    const { retire, server } = await stand()
    const listened: boolean[] = []
    const ended = retire({ drainMs: 20, onDrained: () => void listened.push(server.listening) })
    expect(listened).toEqual([])
    await ended
    expect(listened).toEqual([true])
  })
})

describe('a port that several listen on', () => {
  it('goes on being served when one of them ends', async () => {
    const first = await stand()
    const second = await stand(first.port)
    const ask = async () => {
      const { said, ask, closed, socket } = client(first.port)
      ask('/x')
      await eventually(() => said().endsWith('done'), { intervalMs: 1 })
      socket.end()
      await closed
    }
    for (let count = 0; count < 40; count += 1) await ask()
    expect(first.served.length * second.served.length).toBeGreaterThan(0)
    await first.retire()
    for (let count = 0; count < 40; count += 1) await ask()
    expect(first.served.length + second.served.length).toBe(80)
  })
})
