import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { OutboundError } from '../src/index.ts'
import { closeServers, failureOf, httpsServer, localOutbound, tlsServer } from './servers.ts'

afterAll(closeServers)

const limits = { timeoutMs: 10_000, maxResponseBytes: 64 * 1024 * 1024 }

describe('stream', () => {
  it('streams a large body and keeps the connection', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const server = await httpsServer((_request, response) => {
      for (let sent = 0; sent < 320; sent++) response.write(chunk)
      response.end()
    })
    const outbound = localOutbound()
    const { status, body, address } = await outbound.stream({ url: server.url, ...limits })
    expect({ status, address }).toEqual({ status: 200, address: '127.0.0.1' })
    let bytes = 0
    for await (const part of body) bytes += part.length
    expect(bytes).toBe(320 * chunk.length)
    expect((await outbound.request({ url: server.url, maxResponseBytes: 1 })).reused).toBe(true)
  })

  it('ignores informational responses', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      ),
    )
    const { status, body } = await localOutbound().stream({ url: server.url, ...limits })
    expect({ status, body: String(await buffer(body)) }).toEqual({ status: 200, body: 'ok' })
  })

  it('applies back-pressure when the reader does not read', async () => {
    let written = 0
    const server = await httpsServer((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const fill = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
      }
      response.on('drain', fill)
      fill()
    })
    const { body } = await localOutbound().stream({
      url: server.url,
      ...limits,
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
    })
    let last = -1
    let unchangedChecks = 0
    // The sender is blocked when nothing more is accepted.
    await eventually(() => {
      unchangedChecks = written === last ? unchangedChecks + 1 : 0
      last = written
      return unchangedChecks === 5
    })
    expect(body.readableLength).toBeLessThan(1024 * 1024)
    expect(written).toBeLessThan(32 * 1024 * 1024)
    body.destroy()
  })

  it('fails when the response is too long, with or without a content-length', async () => {
    const withLength = await httpsServer((_request, response) => response.end('x'.repeat(1000)))
    const failure = await failureOf(localOutbound().stream({ url: withLength.url, ...limits, maxResponseBytes: 999 }))
    expect(failure).toMatchObject({
      kind: 'too_large',
      attempt: { status: 200 },
      message: 'the response is longer than 999 bytes',
    })
    const withoutLength = await httpsServer((_request, response) => {
      response.write('x'.repeat(600))
      response.end('x'.repeat(600))
    })
    const { body } = await localOutbound().stream({ url: withoutLength.url, ...limits, maxResponseBytes: 999 })
    expect((await failureOf(buffer(body))).kind).toBe('too_large')
    const exact = await localOutbound().stream({ url: withLength.url, ...limits, maxResponseBytes: 1000 })
    expect(await buffer(exact.body)).toHaveLength(1000)
  })

  it('fails the body at the time limit when it arrives slowly', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const { body } = await localOutbound().stream({ url: server.url, ...limits, timeoutMs: 2_000 })
    expect(await failureOf(buffer(body))).toMatchObject({ kind: 'timeout', attempt: { status: 200 } })
  })

  it('fails the body when it stalls', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
    )
    const { body } = await localOutbound().stream({ url: server.url, ...limits, stallTimeoutMs: 200 })
    expect(await failureOf(buffer(body))).toMatchObject({ kind: 'timeout', message: 'the response stalled' })
  })

  it('fails the body when the connection is closed early', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
    )
    const { body } = await localOutbound().stream({ url: server.url, ...limits })
    expect((await failureOf(buffer(body))).kind).toBe('reset')
  })

  it('closes the connection when the reader destroys the body', async () => {
    const server = await httpsServer((_request, response) => response.write('x'))
    const { body } = await localOutbound().stream({ url: server.url, ...limits, timeoutMs: 60_000 })
    body.destroy()
    const [socket] = server.sockets
    await new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once('close', () => resolve())))
  })

  it('fails the body when the signal is aborted', async () => {
    const server = await httpsServer((_request, response) => response.write('x'))
    const controller = new AbortController()
    const { body } = await localOutbound().stream({ url: server.url, ...limits, signal: controller.signal })
    const reading = failureOf(buffer(body))
    controller.abort()
    expect((await reading).kind).toBe('aborted')
  })

  it('follows no redirects and rejects blocked addresses and encoded responses', async () => {
    const server = await httpsServer((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const redirect = await localOutbound().stream({ url: server.url, ...limits })
    expect(redirect.status).toBe(302)
    redirect.body.resume()
    const blocked = await localOutbound({ allowCidrs: [] })
      .stream({ url: server.url, ...limits })
      .catch((error: unknown) => error)
    expect(blocked).toBeInstanceOf(OutboundError)
    expect(blocked).toMatchObject({ kind: 'blocked_address' })
    const zipped = await httpsServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    )
    expect((await failureOf(localOutbound().stream({ url: zipped.url, ...limits }))).kind).toBe('encoding')
  })
})
