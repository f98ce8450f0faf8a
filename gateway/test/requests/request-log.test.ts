import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'system', 'audit'] })
const token = await fleet.token(fleet.owner)
afterAll(() => fleet.stop())

interface Entry {
  request_id: string
  path: string
  status: number
  code: string | null
}

/** Resolves once the log has the request; the edge reports every two seconds. */
const logged = (requestId: string) =>
  eventually(
    async () => {
      const { body } = await fleet.request('GET', `/v1/audit/requests?q=${requestId}`, { as: token })
      const [entry]: Entry[] = body.data
      return entry ?? false
    },
    { timeoutMs: 30_000, intervalMs: 200 },
  )

describe('the request log', () => {
  it('has the template of the path and no query of an answered request, and counts it for its credential', async () => {
    const { headers } = await fleet.request('GET', '/v1/system/workspace/variables/SECRET_NAME', {
      as: token,
      headers: { 'x-request-id': 'answered-request' },
    })
    expect(headers.get('x-request-id')).toBe('answered-request')
    expect(await logged('answered-request')).toMatchObject({
      method: 'GET',
      path: '/v1/system/workspace/variables/{name}',
      endpoint: 'system.getVariable',
      status: 404,
      code: null,
      principal: { type: 'service_principal' },
    })
    const { body } = await fleet.request('GET', '/v1/audit/requests/usage', { as: token })
    expect(body.data[0].requests).toBeGreaterThanOrEqual(1)
    expect(body.data[0].client_errors).toBe(1)
  })

  it('has a request that the edge refused a known caller, with the reason', async () => {
    const created = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: { scopes: ['audit:read'] } })
    const { key_id, api_key } = created.body.data
    const headers = { 'x-request-id': 'refused-request' }
    const refused = await fleet.request('PATCH', '/v1/system/workspace', { as: api_key, headers, body: {} })
    expect(refused.status).toBe(403)
    expect(await logged('refused-request')).toMatchObject({
      method: 'PATCH',
      path: '/v1/system/workspace',
      status: 403,
      code: 'missing_scope',
      principal: { type: 'api_key' },
      credential_id: key_id,
    })
  })
})
