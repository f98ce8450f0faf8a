import { describe, expect, it } from '@jest/globals'
import { createAuthority } from '@wp/testkit'
import { answers, failureOf, httpsServer, identityFor, localOutbound, tcpServer, tlsServer } from './servers.ts'

describe('failures before the request', () => {
  it('dns: the name does not resolve', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const failure = await failureOf(localOutbound({ lookup }).request({ url: 'https://gone.test/' }))
    expect(failure).toMatchObject({ kind: 'dns', code: 'ENOTFOUND', message: 'gone.test does not resolve (ENOTFOUND)' })
    expect(failure).toMatchObject({ isAddressRejected: false, attempt: { stage: 'dns', address: null, status: null } })
    expect((await failureOf(localOutbound({ lookup: answers() }).request({ url: 'https://gone.test/' }))).kind).toBe(
      'dns',
    )
  })

  it('connect: nobody listens', async () => {
    const server = await tcpServer(() => {})
    server.close()
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect(failure).toMatchObject({
      kind: 'connect',
      code: 'ECONNREFUSED',
      attempt: { stage: 'connect', address: '127.0.0.1' },
    })
    expect(failure.attempt.timings).toMatchObject({ tls_ms: null, first_byte_ms: null })
    expect(failure.attempt.timings?.connect_ms).toBeGreaterThan(0)
  })

  it('connect: no address of several accepts, the first one’s reason standing for all', async () => {
    const server = await tcpServer(() => {})
    server.close()
    const outbound = localOutbound({ lookup: answers('127.0.0.3', '127.0.0.4') })
    const failure = await failureOf(outbound.request({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'connect', attempt: { address: '127.0.0.3' } })
    expect(failure.message).toBe(`127.0.0.3 port ${server.port} did not accept a connection (ECONNREFUSED)`)
  })

  it.each([
    [
      'an unknown authority',
      identityFor(['hooks.test'], { by: createAuthority('Another') }),
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    ['another name', identityFor(['other.test']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'the past',
      identityFor(['hooks.test'], { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'the future',
      identityFor(['hooks.test'], { notBefore: new Date('2049-01-01'), notAfter: new Date('2049-02-01') }),
      'CERT_NOT_YET_VALID',
    ],
  ])('tls: a certificate from %s', async (_what, as, code) => {
    let requests = 0
    const server = await httpsServer(
      (_request, response) => {
        requests++
        response.end()
      },
      { as },
    )
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'tls', code, attempt: { stage: 'tls', address: '127.0.0.1', status: null } })
    expect(requests).toBe(0)
  })

  it('tls: the server does not speak TLS', async () => {
    const plain = await tcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect((await failureOf(localOutbound().request({ url: plain.url }))).kind).toBe('tls')
    const silent = await tcpServer((socket) => socket.destroy())
    expect(await failureOf(localOutbound().request({ url: silent.url }))).toMatchObject({
      kind: 'tls',
      attempt: { stage: 'tls' },
    })
  })
})

describe('failures during the exchange', () => {
  const answering = (head: string) => tlsServer((socket) => socket.once('data', () => socket.end(head)))

  it('reset: the connection ends without an answer', async () => {
    const closed = await answering('')
    expect(await failureOf(localOutbound().request({ url: closed.url }))).toMatchObject({
      kind: 'reset',
      attempt: { status: null },
    })
    const reset = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const failure = await failureOf(
      localOutbound().request({ url: `http://hooks.test:${reset.port}/`, protocols: ['http:'] }),
    )
    expect(failure).toMatchObject({ kind: 'reset', code: 'ECONNRESET', attempt: { stage: 'request' } })
  })

  it.each([
    ['a length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['a length on a closing connection', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf'],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf'],
    [
      'chunks on a closing connection',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf',
    ],
  ])('reset: half an answer with %s, its status known', async (_what, head) => {
    const server = await answering(head)
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'reset', attempt: { stage: 'response', status: 200, address: '127.0.0.1' } })
  })

  it('reset: half a head', async () => {
    const server = await answering('HTTP/1.1 200 OK\r\ncontent-le')
    expect(await failureOf(localOutbound().request({ url: server.url }))).toMatchObject({
      kind: 'reset',
      attempt: { status: null },
    })
  })

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['a length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    [
      'an upgrade nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    ],
    ['an endless head', `HTTP/1.1 200 OK\r\n${`x-pad: ${'a'.repeat(1000)}\r\n`.repeat(40)}\r\n`],
  ])('protocol: %s', async (_what, head) => {
    const server = await answering(head)
    expect((await failureOf(localOutbound().request({ url: server.url }))).kind).toBe('protocol')
  })
})

describe('time limits', () => {
  const took = async (work: Promise<unknown>) => {
    const startedAt = performance.now()
    const failure = await failureOf(work)
    return { failure, ms: performance.now() - startedAt }
  }

  it('cut a body that drips', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const { failure, ms } = await took(localOutbound().request({ url: server.url, timeoutMs: 300 }))
    expect(failure).toMatchObject({
      kind: 'timeout',
      attempt: { stage: 'response', status: 200, address: '127.0.0.1' },
    })
    expect(ms).toBeGreaterThanOrEqual(295)
    expect(ms).toBeLessThan(3_000)
    const [socket] = server.sockets
    await new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once('close', () => resolve())))
  })

  it('cut a head that drips, and one that never comes', async () => {
    const drip = await tlsServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const { failure } = await took(localOutbound().request({ url: drip.url, timeoutMs: 200 }))
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { status: null } })
    const silent = await tlsServer(() => {})
    const waited = await took(localOutbound().request({ url: silent.url, timeoutMs: 200 }))
    expect(waited.failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'request' } })
    expect(waited.failure.attempt.timings).toMatchObject({ first_byte_ms: null })
    expect(waited.failure.message).toBe('the whole exchange took longer than 200 ms')
  })

  it('cut a handshake that is never answered, after the shorter limit for connecting', async () => {
    const server = await tcpServer(() => {})
    const { failure, ms } = await took(localOutbound().request({ url: server.url, connectTimeoutMs: 200 }))
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'tls', address: '127.0.0.1' } })
    expect(failure.message).toBe('connecting to hooks.test took longer than 200 ms')
    expect(ms).toBeLessThan(3_000)
  })

  it('cut a lookup that is never answered', async () => {
    const lookup = () => new Promise<never>(() => {})
    const { failure } = await took(
      localOutbound({ lookup }).request({ url: 'https://slow.test/', connectTimeoutMs: 100 }),
    )
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'dns' } })
  })
})

describe('the caller gives up', () => {
  it('before, during the lookup, or during the answer', async () => {
    const early = AbortSignal.abort(new Error('shutting down'))
    expect(await failureOf(localOutbound().request({ url: 'https://hooks.test/', signal: early }))).toMatchObject({
      kind: 'aborted',
      cause: new Error('shutting down'),
    })

    const lookup = () => new Promise<never>(() => {})
    const duringLookup = new AbortController()
    const looking = failureOf(
      localOutbound({ lookup }).request({ url: 'https://hooks.test/', signal: duringLookup.signal }),
    )
    duringLookup.abort()
    expect(await looking).toMatchObject({ kind: 'aborted', attempt: { stage: 'dns' } })

    const during = new AbortController()
    const server = await httpsServer((_request, response) => {
      response.write('x')
      during.abort()
    })
    const failure = await failureOf(localOutbound().request({ url: server.url, signal: during.signal }))
    expect(failure.kind).toBe('aborted')
  })

  it('by closing the client', async () => {
    const outbound = localOutbound()
    const server = await httpsServer(() => outbound.close())
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('aborted')
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('aborted')
    expect((await failureOf(outbound.connect({ host: 'hooks.test', port: server.port }))).kind).toBe('aborted')
  })
})
