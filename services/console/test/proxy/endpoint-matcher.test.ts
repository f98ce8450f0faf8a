import { describe, expect, it } from '@jest/globals'
import { publicEndpoints } from '@wp/contracts'
import { z } from 'zod'
import { createEndpointMatcher, isProxied } from '../../src/proxy/endpoint-matcher.ts'

const matcher = createEndpointMatcher()
const proxied = publicEndpoints.map(({ definition }) => definition).filter(isProxied)
const key = 'akey_01h455vb4pex5vsknk084sn02q'

describe('the endpoints that the console proxies', () => {
  it('are found by method and path', () => {
    expect(matcher.find('GET', `/v1/auth/api-key/${key}`).id).toBe('auth.getApiKey')
    expect(matcher.find('HEAD', '/v1/auth/api-key').id).toBe('auth.listApiKeys')
    expect(matcher.find('POST', '/v1/data/sources/src_1/records').id).toBe('data.uploadRecords')
    expect(matcher.find('GET', '/v1/system/health').id).toBe('system.health')
  })

  it('are found by the literal when a parameter has the same place', () => {
    for (const { id, method, path } of proxied.filter((definition) => !definition.path.includes('{')))
      expect(matcher.find(method, path).id).toBe(id)
  })

  it('return no token', () => {
    const shapes = proxied.flatMap(({ ok, created, accepted, bare, list }) => [ok, created, accepted, bare, list])
    const fields = shapes.flatMap((shape) =>
      shape === undefined ? [] : [JSON.stringify(z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' }))],
    )
    expect(fields.length).toBeGreaterThan(80)
    for (const text of fields) expect(text).not.toMatch(/"(access|refresh)_token"/)
  })

  it.each([
    ['POST', '/v1/auth/token'],
    ['POST', '/v1/auth/revoke'],
    ['POST', '/v1/auth/logout'],
    ['POST', '/v1/auth/login'],
    ['POST', '/v1/auth/verify'],
    ['POST', '/v1/auth/reauthentication'],
    ['POST', '/v1/auth/reauthentication/verify'],
    ['GET', '/v1/auth/authorize'],
    ['POST', '/v1/auth/authorize'],
    ['POST', '/v1/auth/register'],
    ['GET', '/v1/auth/login/google'],
    ['GET', '/v1/auth/login/link'],
    ['GET', '/v1/notifications/unsubscribe'],
    ['POST', '/v1/billing/payments/stripe/events'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/api/v1/mcp/mcp'],
    ['GET', '/docs'],
    ['GET', '/metrics'],
    ['POST', '/v1/auth/internal/resolve'],
  ])('do not include %s %s', (method, path) => {
    expect(() => matcher.find(method, path)).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  it.each([
    '/v1/auth/api-key/..',
    '/v1/auth/api-key/.',
    '/v1/auth/api-key/%2e%2e',
    '/v1/auth/api-key/%2E.',
    '/v1/auth/api-key/a%2Fb',
    '/v1/auth/api-key/a%5cb',
    '/v1/auth/api-key/a%00',
    '/v1/auth/api-key/%6cogout',
    '/v1/auth/api-key/%zz',
    '/v1/auth/api-key/a\\b',
    '/v1/auth/api-key/',
    '//v1/auth/api-key',
    '/v1//auth/api-key',
    '/V1/auth/api-key',
    '/v1/%61uth/me',
    'v1/auth/me',
    '',
  ])('do not include the path %s', (path) => {
    expect(() => matcher.find('GET', path)).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  it('name their methods when another one is used', () => {
    expect(() => matcher.find('PUT', '/v1/auth/api-key')).toThrow(
      expect.objectContaining({ code: 'method_not_allowed', headers: { allow: 'POST, GET' } }),
    )
  })
})
