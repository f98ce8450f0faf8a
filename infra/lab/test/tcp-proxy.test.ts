import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { startTcpProxy, type TcpProxy } from '../src/chaos/fleet/tcp-proxy.ts'

let server: Server
let proxy: TcpProxy
let requests: string[]
beforeEach(async () => {
  requests = []
  server = createServer((socket) => {
    socket.on('error', () => undefined) // cut connections are part of the tests
    socket.on('data', (bytes) => {
      requests.push(bytes.toString())
      socket.write(`reply to ${bytes}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy = await startTcpProxy((server.address() as AddressInfo).port) // it listens on TCP
})
afterEach(async () => {
  await proxy.close()
  server.close()
})

/** Connects through the proxy and collects what is received. */
async function connectClient(): Promise<{ socket: Socket; received: string[] }> {
  const socket = connect(proxy.port, '127.0.0.1')
  const received: string[] = []
  socket.on('data', (bytes) => received.push(bytes.toString()))
  await once(socket, 'connect')
  return { socket, received }
}

describe('the TCP proxy', () => {
  it('forwards in both directions', async () => {
    const { socket, received } = await connectClient()
    socket.write('one')
    await eventually(() => received.includes('reply to one'))
    socket.destroy()
  })

  it('forwards new connections to another server, and old ones as before', async () => {
    const other = createServer((socket) => socket.end('the other')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const old = await connectClient()
    old.socket.write('one')
    await eventually(() => requests.length === 1)
    proxy.redirect((other.address() as AddressInfo).port) // it listens on TCP
    const fresh = await connectClient()
    await eventually(() => fresh.received.includes('the other'))
    old.socket.write('two')
    await eventually(() => requests.length === 2)
    for (const { socket } of [old, fresh]) socket.destroy()
    other.close()
  })

  it('forwards nothing while it is stalled, on old and new connections, and everything afterwards', async () => {
    const old = await connectClient()
    old.socket.write('one')
    await eventually(() => old.received.length === 1)
    proxy.stall()
    const fresh = await connectClient()
    old.socket.write('two')
    fresh.socket.write('three')
    // Another proxy to the same server answers later than what a proxy that does not stall would forward.
    const other = await startTcpProxy((server.address() as AddressInfo).port) // it listens on TCP
    const probe = connect(other.port, '127.0.0.1').end('probe')
    await eventually(() => requests.includes('probe'))
    expect(requests).toEqual(['one', 'probe'])
    proxy.resume()
    await eventually(() => old.received.includes('reply to two') && fresh.received.includes('reply to three'))
    for (const socket of [old.socket, fresh.socket, probe]) socket.destroy()
    await other.close()
  })

  it('cuts a connection after the server has read chosen bytes and before the client gets the reply', async () => {
    proxy.cutAfter((bytes) => bytes.includes('COMMIT'))
    const { socket, received } = await connectClient()
    socket.write('BEGIN')
    await eventually(() => received.length === 1)
    socket.write('COMMIT')
    await once(socket, 'close')
    expect([requests, received, proxy.cuts]).toEqual([['BEGIN', 'COMMIT'], ['reply to BEGIN'], 1])
    proxy.cutAfter(undefined)
    const next = await connectClient()
    next.socket.write('COMMIT')
    await eventually(() => next.received.length === 1)
    next.socket.destroy()
  })
})
