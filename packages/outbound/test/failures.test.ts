import { afterAll, describe, expect, it } from '@jest/globals'
import { createAuthority, createSelfSigned } from '@wp/testkit'
import {
  closeServers,
  failureOf,
  fixedLookup,
  httpsServer,
  identityFor,
  localOutbound,
  tcpServer,
  tlsServer,
} from './servers.ts'

afterAll(closeServers)

const selfSignedFor = (names: string[]) => {
  const { certificate, key } = createSelfSigned({ names })
  return { cert: certificate, key }
}

describe('a request that fails before it is sent', () => {
  it('has kind blocked_address when the name does not resolve', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const failure = await failureOf(localOutbound({ lookup }).request({ url: 'https://gone.test/' }))
    expect(failure).toMatchObject({
      kind: 'blocked_address',
      message: 'gone.test is not a public address, and does not resolve to one: check the spelling and the DNS records',
    })
    expect(failure).toMatchObject({ isAddressRejected: false, attempt: { stage: 'dns', address: null, status: null } })
    expect(
      (await failureOf(localOutbound({ lookup: fixedLookup() }).request({ url: 'https://gone.test/' }))).kind,
    ).toBe('blocked_address')
  })

  it('has kind connect when no server listens', async () => {
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

  it('reports the failure of the first address when none accepts a connection', async () => {
    const server = await tcpServer(() => {})
    server.close()
    const outbound = localOutbound({ lookup: fixedLookup('127.0.0.3', '127.0.0.4') })
    const failure = await failureOf(outbound.request({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'connect', attempt: { address: '127.0.0.3' } })
    expect(failure.message).toBe(`hooks.test port ${server.port} refused the connection: no server listens there`)
  })

  it.each([
    [
      'is from an unknown authority',
      identityFor(['hooks.test'], { by: createAuthority('Another') }),
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'we accept certificates of public authorities only',
    ],
    [
      'is self-signed',
      selfSignedFor(['hooks.test']),
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'the certificate is self-signed; we accept certificates of public authorities only',
    ],
    ['is for another name', identityFor(['other.test']), 'ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host name'],
    [
      'has expired',
      identityFor(['hooks.test'], { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }),
      'CERT_HAS_EXPIRED',
      'has expired',
    ],
    [
      'is not yet valid',
      identityFor(['hooks.test'], { notBefore: new Date('2049-01-01'), notAfter: new Date('2049-02-01') }),
      'CERT_NOT_YET_VALID',
      'is not valid yet',
    ],
  ])('has kind tls when the certificate %s', async (_case, as, code, reason) => {
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
    expect(failure.message).toContain(reason)
    expect(requests).toBe(0)
  })

  it('has kind tls and names the protocol when the server speaks HTTP/2 only', async () => {
    const server = await tlsServer(() => {}, { ALPNProtocols: ['h2'] })
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect([failure.kind, failure.message]).toEqual(['tls', expect.stringContaining('HTTP/2')])
  })

  it('has kind tls when the server does not speak TLS', async () => {
    const plain = await tcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect((await failureOf(localOutbound().request({ url: plain.url }))).kind).toBe('tls')
    const silent = await tcpServer((socket) => socket.destroy())
    expect(await failureOf(localOutbound().request({ url: silent.url }))).toMatchObject({
      kind: 'tls',
      attempt: { stage: 'tls' },
    })
  })
})

describe('a request that fails during the exchange', () => {
  const respondWith = (text: string) => tlsServer((socket) => socket.once('data', () => socket.end(text)))

  it('has kind reset when the connection is closed without a response', async () => {
    const closed = await respondWith('')
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
  ])('has kind reset and the status when the body with %s is truncated', async (_case, text) => {
    const server = await respondWith(text)
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect(failure).toMatchObject({ kind: 'reset', attempt: { stage: 'response', status: 200, address: '127.0.0.1' } })
  })

  it('has kind reset when the head is truncated', async () => {
    const server = await respondWith('HTTP/1.1 200 OK\r\ncontent-le')
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
    ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
    ['an endless head', `HTTP/1.1 200 OK\r\n${`x-pad: ${'a'.repeat(1000)}\r\n`.repeat(40)}\r\n`],
  ])('has kind protocol when the response is %s', async (_case, text) => {
    const server = await respondWith(text)
    expect((await failureOf(localOutbound().request({ url: server.url }))).kind).toBe('protocol')
  })
})

describe('a time limit', () => {
  it('aborts a response whose body arrives slowly', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const failure = await failureOf(localOutbound().request({ url: server.url, timeoutMs: 2_000 }))
    expect(failure).toMatchObject({
      kind: 'timeout',
      attempt: { stage: 'response', status: 200, address: '127.0.0.1' },
    })
    expect(failure.attempt.timings?.total_ms).toBeGreaterThanOrEqual(1_995)
    const [socket] = server.sockets
    await new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once('close', () => resolve())))
  })

  it('aborts a response whose head arrives slowly or never', async () => {
    const drip = await tlsServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const failure = await failureOf(localOutbound().request({ url: drip.url, timeoutMs: 200 }))
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { status: null } })
    const silent = await tlsServer(() => {})
    const unanswered = await failureOf(localOutbound().request({ url: silent.url, timeoutMs: 2_000 }))
    expect(unanswered).toMatchObject({ kind: 'timeout', attempt: { stage: 'request' } })
    expect(unanswered.attempt.timings).toMatchObject({ first_byte_ms: null })
    expect(unanswered.message).toBe('the request took longer than 2000 ms')
  })

  it('aborts an unanswered handshake at the shorter limit for connecting', async () => {
    const server = await tcpServer(() => {})
    const failure = await failureOf(localOutbound().request({ url: server.url, connectTimeoutMs: 1_000 }))
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'tls', address: '127.0.0.1' } })
    expect(failure.message).toBe('connecting to hooks.test took longer than 1000 ms')
  })

  it('aborts an unanswered lookup', async () => {
    const lookup = () => new Promise<never>(() => {})
    const failure = await failureOf(
      localOutbound({ lookup }).request({ url: 'https://slow.test/', connectTimeoutMs: 100 }),
    )
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'dns' } })
  })
})

describe('a request', () => {
  it('is aborted by the signal before it starts, during the lookup and during the response', async () => {
    const early = AbortSignal.abort(new Error('shutting down'))
    expect(await failureOf(localOutbound().request({ url: 'https://hooks.test/', signal: early }))).toMatchObject({
      kind: 'aborted',
      cause: new Error('shutting down'),
    })

    const lookup = () => new Promise<never>(() => {})
    const duringLookup = new AbortController()
    const lookupFailure = failureOf(
      localOutbound({ lookup }).request({ url: 'https://hooks.test/', signal: duringLookup.signal }),
    )
    duringLookup.abort()
    expect(await lookupFailure).toMatchObject({ kind: 'aborted', attempt: { stage: 'dns' } })

    const during = new AbortController()
    const server = await httpsServer((_request, response) => {
      response.write('x')
      during.abort()
    })
    const failure = await failureOf(localOutbound().request({ url: server.url, signal: during.signal }))
    expect(failure.kind).toBe('aborted')
  })

  it('is aborted when the client is closed', async () => {
    const outbound = localOutbound()
    const server = await httpsServer(() => outbound.close())
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('aborted')
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('aborted')
    expect((await failureOf(outbound.connect({ host: 'hooks.test', port: server.port }))).kind).toBe('aborted')
  })
})
