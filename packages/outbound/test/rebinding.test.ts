import { afterAll, describe, expect, it } from '@jest/globals'
import type { LookupAddress } from '../src/index.ts'
import { closeServers, failureOf, fixedLookup, httpsServer, identityFor, localOutbound, tcpServer } from './servers.ts'

afterAll(closeServers)

/** A lookup with a different result for every call, as in a DNS rebinding attack. */
function createChangingLookup(...results: string[][]) {
  const calls: string[] = []
  const lookup = async (hostname: string): Promise<LookupAddress[]> => {
    const result = results[Math.min(calls.length, results.length - 1)] ?? []
    calls.push(hostname)
    return result.map((address) => ({ address, family: 4 }))
  }
  return { lookup, calls }
}

describe('a name whose addresses change', () => {
  it('is rejected at the connection when it was public at validation and is loopback now', async () => {
    const server = await httpsServer((_request, response) => response.end('inside'))
    const { lookup } = createChangingLookup(['8.8.8.8'], ['127.0.0.1'])
    const outbound = localOutbound({ allowCidrs: [], lookup })
    expect((await outbound.validateUrl(server.url)).addresses).toEqual(['8.8.8.8'])
    const failure = await failureOf(outbound.request({ url: server.url }))
    expect(failure).toMatchObject({
      kind: 'blocked_address',
      blocked: { address: '127.0.0.1' },
      attempt: { address: null },
    })
    expect(server.sockets).toHaveLength(0)
  })

  it('is resolved once, and the connection uses the validated address', async () => {
    const server = await httpsServer((_request, response) => response.end('validated'))
    const trap = await httpsServer((_request, response) => response.end('trap'), {
      host: '127.0.0.2',
      port: server.port,
    })
    const { lookup, calls } = createChangingLookup(['127.0.0.1'], ['127.0.0.2'])
    const outbound = localOutbound({ lookup })
    const response = await outbound.request({ url: server.url })
    expect({ address: response.address, body: response.body.toString() }).toEqual({
      address: '127.0.0.1',
      body: 'validated',
    })
    expect(calls).toEqual(['hooks.test'])
    expect(trap.sockets).toHaveLength(0)
  })

  it('is validated again for every new connection', async () => {
    const server = await httpsServer((_request, response) => response.setHeader('connection', 'close').end())
    const { lookup, calls } = createChangingLookup(['127.0.0.1'], ['10.0.0.1'])
    const outbound = localOutbound({ lookup })
    expect((await outbound.request({ url: server.url })).status).toBe(200)
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('blocked_address')
    expect(calls).toHaveLength(2)
    expect(server.sockets).toHaveLength(1)
  })

  it('does not affect an open connection to a validated address', async () => {
    const server = await httpsServer((_request, response) => response.end())
    const { lookup, calls } = createChangingLookup(['127.0.0.1'], ['10.0.0.1'])
    const outbound = localOutbound({ lookup })
    await outbound.request({ url: server.url })
    expect(await outbound.request({ url: server.url })).toMatchObject({ reused: true, address: '127.0.0.1' })
    expect(calls).toHaveLength(1)
  })
})

describe('a name with several addresses', () => {
  it.each([
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['8.8.8.8', '127.0.0.1', '192.168.0.1'],
    ['127.0.0.1', 'fd00::1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
  ])('is rejected when one of them is not allowed: %s, %s', async (...addresses) => {
    const server = await httpsServer((_request, response) => response.end())
    const outbound = localOutbound({ lookup: fixedLookup(...addresses) })
    expect((await failureOf(outbound.request({ url: server.url }))).kind).toBe('blocked_address')
    expect((await outbound.validateUrl(server.url)).addresses).toEqual([])
    expect((await failureOf(outbound.connect({ host: 'hooks.test', port: server.port }))).kind).toBe('blocked_address')
    expect(server.sockets).toHaveLength(0)
  })

  it('is connected to the first that accepts', async () => {
    const server = await httpsServer((_request, response) => response.end('second'))
    const outbound = localOutbound({ lookup: fixedLookup('127.0.0.9', '127.0.0.1') })
    expect(await outbound.request({ url: server.url })).toMatchObject({ status: 200, address: '127.0.0.1' })
  })
})

describe('a request', () => {
  it('does not follow a redirect', async () => {
    const inside = await tcpServer(() => {})
    const server = await httpsServer((_request, response) =>
      response.writeHead(302, { location: `https://127.0.0.1:${inside.port}/` }).end('moved'),
    )
    const response = await localOutbound().request({ url: server.url, method: 'POST', body: '{}' })
    expect(response).toMatchObject({ status: 302, headers: { location: `https://127.0.0.1:${inside.port}/` } })
    expect(inside.sockets).toHaveLength(0)
    expect(server.sockets).toHaveLength(1)
  })

  it('is rejected when its URL has an address literal that is not allowed', async () => {
    const server = await httpsServer((_request, response) => response.end())
    const outbound = localOutbound({ allowCidrs: [] })
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', '0x7f.1']) {
      expect((await failureOf(outbound.request({ url: `https://${host}:${server.port}/` }))).kind).toBe(
        'blocked_address',
      )
    }
    expect(server.sockets).toHaveLength(0)
  })

  it('verifies the certificate against an allowed address literal', async () => {
    const server = await httpsServer((request, response) => response.end(request.headers.host))
    const response = await localOutbound().request({ url: `https://127.0.0.1:${server.port}/` })
    expect(response.body.toString()).toBe(`127.0.0.1:${server.port}`)
    const nameOnly = await httpsServer((_request, response) => response.end(), { as: identityFor(['hooks.test']) })
    expect((await failureOf(localOutbound().request({ url: `https://127.0.0.1:${nameOnly.port}/` }))).kind).toBe('tls')
  })
})
