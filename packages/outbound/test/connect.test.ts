import { once } from 'node:events'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Outbound } from '../src/index.ts'
import { closeServers, failureOf, fixedLookup, httpsServer, localOutbound, tcpServer, tlsServer } from './servers.ts'

afterAll(closeServers)

describe('connect', () => {
  it('returns a raw connection to the validated address', async () => {
    const server = await tcpServer((socket) => socket.pipe(socket))
    const socket = await localOutbound().connect({ host: 'db.test', port: server.port })
    socket.write('ping')
    expect(String(await once(socket, 'data'))).toBe('ping')
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  it('returns a TLS connection verified against the host or the given name', async () => {
    const server = await tlsServer((socket) => socket.end(String(socket.servername)))
    const outbound = localOutbound()
    const socket = await outbound.connect({ host: 'hooks.test', port: server.port, tls: true })
    expect(socket).toBeInstanceOf(TLSSocket)
    expect(String(await once(socket, 'data'))).toBe('hooks.test')
    const named = await outbound.connect({ host: 'other.test', port: server.port, tls: { servername: 'hooks.test' } })
    expect(String(await once(named, 'data'))).toBe('hooks.test')
    expect(await failureOf(outbound.connect({ host: 'other.test', port: server.port, tls: true }))).toMatchObject({
      kind: 'tls',
      attempt: { stage: 'tls', address: '127.0.0.1' },
    })
  })

  it('returns a connection that survives the connect timeout and the closing of the client', async () => {
    const server = await tcpServer((socket) => socket.pipe(socket))
    const outbound = localOutbound()
    const socket = await outbound.connect({ host: 'db.test', port: server.port, connectTimeoutMs: 1_000 })
    await once(AbortSignal.timeout(1_050), 'abort')
    outbound.close()
    socket.write('still here')
    expect(String(await once(socket, 'data'))).toBe('still here')
    socket.destroy()
  })

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '::1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'rejects %s',
    async (host) => {
      const server = await tcpServer(() => {})
      const outbound = localOutbound({ allowCidrs: [] })
      expect((await failureOf(outbound.connect({ host, port: server.port }))).kind).toBe('blocked_address')
      expect(server.sockets).toHaveLength(0)
    },
  )

  it.each([
    '',
    'db.test/x',
    'db.test:5432',
    'user@db.test',
    'db test',
    'db.test?',
    'db.test#',
    '\tdb.test',
    'db\\test',
    'fe80::1%eth0',
    '..',
    'a..b',
  ])('rejects "%s" as a host', async (host) => {
    const outbound = localOutbound({ lookup: fixedLookup('8.8.8.8') })
    expect(await failureOf(outbound.connect({ host, port: 5432 }))).toMatchObject({
      kind: 'invalid_url',
      isAddressRejected: true,
    })
  })

  it('checks the port, with additional ports of a protocol', async () => {
    const outbound = localOutbound({ lookup: fixedLookup('10.0.0.1') })
    expect((await failureOf(outbound.connect({ host: 'mail.test', port: 25 }))).kind).toBe('invalid_url')
    const ports = [{ from: 25, to: 25 }]
    // The port is allowed, so the address is checked next.
    expect((await failureOf(outbound.connect({ host: 'mail.test', port: 25, ports }))).kind).toBe('blocked_address')
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) {
      expect((await failureOf(outbound.connect({ host: 'mail.test', port, ports }))).kind).toBe('invalid_url')
    }
  })

  it('times out and can be aborted', async () => {
    const server = await tcpServer(() => {})
    const failure = await failureOf(
      localOutbound().connect({ host: 'hooks.test', port: server.port, tls: true, connectTimeoutMs: 1_000 }),
    )
    expect(failure).toMatchObject({ kind: 'timeout', attempt: { stage: 'tls' } })
    const signal = AbortSignal.timeout(50)
    expect(
      (await failureOf(localOutbound().connect({ host: 'hooks.test', port: server.port, tls: true, signal }))).kind,
    ).toBe('aborted')
  })

  it('trusts only the authorities of the system by default', async () => {
    const server = await httpsServer((_request, response) => response.end())
    const untrusting = localOutbound({ ca: undefined })
    expect((await failureOf(untrusting.connect({ host: 'hooks.test', port: server.port, tls: true }))).kind).toBe('tls')
  })
})

describe('validateHost', () => {
  const strict = localOutbound({ allowCidrs: [], lookup: fixedLookup('8.8.8.8', '10.0.0.1') })
  const unresolvable = localOutbound({
    lookup: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
  })

  it('checks addresses, syntax and port', async () => {
    expect(await localOutbound().validateHost({ host: 'db.test', port: 5432 })).toEqual(['127.0.0.1'])
    expect(await unresolvable.validateHost({ host: 'later.test', port: 5432 })).toEqual([])
    expect(await strict.validateHost({ host: 'db.test', port: 5432 })).toEqual([])
    for (const host of ['127.0.0.1', '2130706433', '::1', 'localhost'])
      expect(await failureOf(strict.validateHost({ host, port: 5432 }))).toMatchObject({ kind: 'blocked_address' })
    expect(await failureOf(localOutbound().validateHost({ host: 'db.test/x', port: 5432 }))).toMatchObject({
      kind: 'invalid_url',
    })
    expect(await failureOf(localOutbound().validateHost({ host: 'mail.test', port: 25 }))).toMatchObject({
      kind: 'invalid_url',
    })
    expect(
      await localOutbound().validateHost({ host: 'mail.test', port: 25, ports: [{ from: 25, to: 25 }] }),
    ).toHaveLength(1)
  })
})

describe('a raw connection', () => {
  it('can be upgraded to TLS with the authorities of the client', async () => {
    const server = await tlsServer((socket) => socket.end('secure'))
    const upgrade = async ({ connect, secureContext }: Outbound) => {
      const socket = await connect({ host: 'hooks.test', port: server.port })
      const secure = connectTls({ socket, secureContext, servername: 'hooks.test' })
      return once(secure, 'data').then(String, ({ code }) => code)
    }
    expect(await upgrade(localOutbound())).toBe('secure')
    expect(await upgrade(localOutbound({ ca: undefined }))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  })
})
