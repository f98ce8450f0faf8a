import { once } from 'node:events'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { isSigner, type SignerName } from '@wp/contracts'
import { createClientAddressHeaders, createSigner, readSigningKey } from '@wp/service'
import { startTestFleet } from '@wp/testkit'

/** A server in place of data that returns the address it was told. */
const upstream = createServer((request, response) => {
  response.setHeader('content-type', 'text/plain').end(String(request.headers['x-forwarded-for']))
}).listen(0, '127.0.0.1')
await once(upstream, 'listening')
const address = upstream.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
const fleet = await startTestFleet({ services: ['auth'], env: { gateway: { UPSTREAM: url, UPSTREAM_OVERRIDES: '' } } })
afterAll(async () => {
  await fleet.stop()
  upstream.closeAllConnections()
  upstream.close()
})

/** Returns the headers with which a process names the address of its client. */
async function headersOf(issuer: SignerName, address: string, now = Date.now): Promise<Record<string, string>> {
  const folder = dirname(String(fleet.env('gateway').ASSERTION_KEY_FILE))
  const key = await readSigningKey(join(folder, `${issuer}.key.json`), issuer)
  return createClientAddressHeaders({ signer: createSigner(key, now), shard: 'any', location: 'TST' })(address)
}

const addressSeen = async (headers: Record<string, string>) =>
  (await fleet.request('GET', '/v1/data/health', { headers })).body

describe('the address of a client', () => {
  it('is the one that the console signed for', async () => {
    expect(await addressSeen(await headersOf('console', '203.0.113.7'))).toBe('203.0.113.7')
    expect(await addressSeen(await headersOf('console', '2001:DB8::9'))).toBe('2001:db8::9')
  })

  it('is that of the console if it signed for something else', async () => {
    for (const text of ['unknown', '203.0.113.7, 203.0.113.8', '', '203.0.113.7:80'])
      expect(await addressSeen(await headersOf('console', text))).toBe('127.0.0.1')
    const { 'x-forwarded-for': _, ...rest } = await headersOf('console', '203.0.113.7')
    expect(await addressSeen(rest)).toBe('127.0.0.1')
  })

  it('cannot be forged by a client, a service without a site or an old assertion', async () => {
    const signed = await headersOf('console', '203.0.113.7')
    const assertion = String(signed['x-workspace-scope'])
    expect(isSigner('console')).toBe(true)
    const withAssertion = (value: string) =>
      addressSeen({ 'x-workspace-scope': value, 'x-forwarded-for': '203.0.113.7' })
    expect(await addressSeen({ 'x-forwarded-for': '203.0.113.7' })).toBe('127.0.0.1')
    expect(await withAssertion('forged')).toBe('127.0.0.1')
    expect(await withAssertion(`${assertion.slice(0, -4)}AAAA`)).toBe('127.0.0.1')
    expect(await addressSeen({ ...signed, 'x-workspace-scope': `${assertion}, ${assertion}` })).toBe('127.0.0.1')
    expect(await addressSeen(await headersOf('data', '203.0.113.7'))).toBe('127.0.0.1')
    expect(await addressSeen(await headersOf('gateway', '203.0.113.7'))).toBe('127.0.0.1')
    expect(await addressSeen(await headersOf('console', '203.0.113.7', () => Date.now() - 120_000))).toBe('127.0.0.1')
  })

  it('is not taken from an assertion of the console for another service', async () => {
    const folder = dirname(String(fleet.env('gateway').ASSERTION_KEY_FILE))
    const signer = createSigner(await readSigningKey(join(folder, 'console.key.json'), 'console'))
    const subject = {
      principal: { id: 'svc:console', type: 'service' as const },
      credentialId: 'svc:console',
      workspaceId: null,
      shard: 'any',
      location: 'TST',
      scopes: [],
    }
    const headers = { 'x-workspace-scope': await signer.sign(subject, 'auth'), 'x-forwarded-for': '203.0.113.7' }
    expect(await addressSeen(headers)).toBe('127.0.0.1')
  })

  it('counts for the limits of endpoints that need no credential', async () => {
    const limited = await fleet.addEdge({ OPEN_REQUESTS_PER_MINUTE: '3', METADATA_REQUESTS_PER_MINUTE: '3' })
    const statusFrom = async (address: string) => {
      const headers = await headersOf('console', address)
      return (await fleet.request('GET', '/v1/auth/login/link', { headers, edge: limited })).status
    }
    const busy = []
    for (let sent = 0; sent < 8; sent += 1) busy.push(await statusFrom('203.0.113.7'))
    expect(busy).toContain(429)
    expect(await statusFrom('203.0.113.8')).toBe(200)
  })
})
