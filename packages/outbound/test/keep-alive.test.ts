import { afterAll, describe, expect, it } from '@jest/globals'
import { closeServers, failureOf, httpsServer, localOutbound, type Running, tlsServer } from './servers.ts'

afterAll(closeServers)

const closed = (server: Running, index: number) =>
  new Promise<void>((resolve) => {
    const socket = server.sockets[index]
    if (socket === undefined || socket.destroyed) resolve()
    else socket.once('close', () => resolve())
  })

const startServer = () => httpsServer((_request, response) => response.end('ok'))

/** A server that responds to the first request of every connection and calls `then` at the second. */
const respondOnceThen = (then: (socket: Parameters<Parameters<typeof tlsServer>[0]>[0]) => void) =>
  tlsServer((socket) => {
    socket.once('data', () => {
      socket.once('data', () => then(socket))
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })

describe('kept-alive connections', () => {
  it('are reused for one request at a time', async () => {
    const server = await startServer()
    const outbound = localOutbound()
    const together = await Promise.all([1, 2, 3].map(() => outbound.request({ url: server.url })))
    expect(together.map(({ reused }) => reused)).toEqual([false, false, false])
    const again = await Promise.all([1, 2, 3].map(() => outbound.request({ url: server.url })))
    expect(again.map(({ reused }) => reused)).toEqual([true, true, true])
    expect(server.sockets).toHaveLength(3)
  })

  it('are reused for the same origin only', async () => {
    const [one, other] = [await startServer(), await startServer()]
    const outbound = localOutbound()
    await outbound.request({ url: one.url })
    expect((await outbound.request({ url: other.url })).reused).toBe(false)
    expect((await outbound.request({ url: `https://127.0.0.1:${one.port}/` })).reused).toBe(false)
    expect((await outbound.request({ url: `https://HOOKS.test.:${one.port}/other` })).reused).toBe(true)
  })

  it('are limited per origin', async () => {
    const server = await startServer()
    const outbound = localOutbound({ maxIdlePerOrigin: 1 })
    await Promise.all([1, 2].map(() => outbound.request({ url: server.url })))
    await Promise.race([closed(server, 0), closed(server, 1)])
    const again = await Promise.all([1, 2].map(() => outbound.request({ url: server.url })))
    expect(again.filter(({ reused }) => reused)).toHaveLength(1)
  })

  it('are limited in total, closing the least recently used one first', async () => {
    const [first, second, third] = [await startServer(), await startServer(), await startServer()]
    const outbound = localOutbound({ maxIdle: 2 })
    for (const { url } of [first, second, third]) await outbound.request({ url })
    await closed(first, 0)
    expect((await outbound.request({ url: second.url })).reused).toBe(true)
    expect((await outbound.request({ url: third.url })).reused).toBe(true)
    expect((await outbound.request({ url: first.url })).reused).toBe(false)
  })

  it('do not count towards the limit once closed', async () => {
    const [first, second, third] = [await startServer(), await startServer(), await startServer()]
    const outbound = localOutbound({ maxIdle: 2 })
    for (const { url } of [first, second]) await outbound.request({ url })
    second.sockets[0]?.end()
    await closed(second, 0)
    await outbound.request({ url: third.url })
    expect((await outbound.request({ url: first.url })).reused).toBe(true)
  })

  it('are not reused beyond their maximum age', async () => {
    const server = await startServer()
    const outbound = localOutbound({ maxConnectionAgeMs: 0 })
    await outbound.request({ url: server.url })
    expect((await outbound.request({ url: server.url })).reused).toBe(false)
  })

  it('are not reused when the server announces to close them', async () => {
    const server = await httpsServer((_request, response) => response.setHeader('connection', 'close').end())
    const outbound = localOutbound()
    for (const _ of [1, 2])
      expect(await outbound.request({ url: server.url })).toMatchObject({ status: 200, reused: false })
  })

  it('are not reused when the server has closed them', async () => {
    const server = await startServer()
    const outbound = localOutbound()
    await outbound.request({ url: server.url, method: 'POST', body: '1' })
    server.sockets[0]?.end()
    await closed(server, 0)
    expect(await outbound.request({ url: server.url, method: 'POST', body: '2' })).toMatchObject({
      status: 200,
      reused: false,
    })
  })

  it('are not reused when the server has sent an unsolicited response', async () => {
    const server = await tlsServer((socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'),
      ),
    )
    const outbound = localOutbound()
    for (const _ of [1, 2]) {
      const response = await outbound.request({ url: server.url })
      expect({ body: response.body.toString(), reused: response.reused }).toEqual({ body: 'ok', reused: false })
    }
  })
})

describe('a kept-alive connection that is closed during a request', () => {
  it('makes an idempotent request retry on a new connection', async () => {
    const server = await respondOnceThen((socket) => socket.end())
    const outbound = localOutbound()
    const post = { url: server.url, method: 'POST', body: '{}', idempotent: true }
    await outbound.request(post)
    expect(await outbound.request(post)).toMatchObject({ status: 200, reused: false })
    expect(server.sockets).toHaveLength(2)
  })

  it('fails a request that is not idempotent', async () => {
    const server = await respondOnceThen((socket) => socket.end())
    const outbound = localOutbound()
    const post = { url: server.url, method: 'POST', body: '{}' }
    await outbound.request(post)
    expect((await failureOf(outbound.request(post))).kind).toBe('reset')
    expect(server.sockets).toHaveLength(1)
  })

  it('fails a request whose response had begun', async () => {
    const server = await respondOnceThen((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'))
    const outbound = localOutbound()
    await outbound.request({ url: server.url })
    expect(await failureOf(outbound.request({ url: server.url }))).toMatchObject({
      kind: 'reset',
      attempt: { status: 200 },
    })
    expect(server.sockets).toHaveLength(1)
  })

  it('causes at most one retry', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => {
        socket.once('data', () => socket.end())
        if (server.sockets.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        else socket.end()
      }),
    )
    const outbound = localOutbound()
    await outbound.request({ url: server.url })
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('reset')
    expect(server.sockets).toHaveLength(2)
  })
})

describe('close', () => {
  it('closes idle connections', async () => {
    const server = await startServer()
    const outbound = localOutbound()
    await outbound.request({ url: server.url })
    outbound.close()
    await closed(server, 0)
  })
})
