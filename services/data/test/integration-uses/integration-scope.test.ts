import { afterAll, describe, expect, it } from '@jest/globals'
import type { Scope } from '@wp/contracts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const url = 'http://127.0.0.1:9009/api/rows.csv'
const integrationId = 'int_01h455vb4pex5vsknk084sn02q'
const withScopes = (...scopes: Scope[]) => ({ caller: { scopes } })
const writer = withScopes('data:read', 'data:write')
const missingScope = {
  status: 403,
  body: { code: 'missing_scope', required_scope: 'integrations:read', detail: expect.stringContaining('integration') },
}

describe('the use of an integration by a source', () => {
  const body = { name: 'Rooms', provider: 'http', config: { url }, integration_id: integrationId }

  it('requires the scope integrations:read when a source is created', async () => {
    expect(await service.request('POST', '/v1/data/sources', { body, ...writer })).toMatchObject(missingScope)
    // The request passes the check and fails at the integrations service, which does not run in this test.
    const reader = withScopes('data:write', 'integrations:read')
    expect((await service.request('POST', '/v1/data/sources', { body, ...reader })).status).toBe(503)
    const own = { ...body, integration_id: null }
    expect((await service.request('POST', '/v1/data/sources', { body: own, ...writer })).status).toBe(201)
  })

  it('requires the scope integrations:read when a source is changed to use it', async () => {
    const path = `/v1/data/sources/${await service.createSource({ ...body, integration_id: null })}`
    const patch = (fields: object) => service.request('PATCH', path, { body: fields, ...writer })
    expect(await patch({ integration_id: integrationId })).toMatchObject(missingScope)
    expect((await patch({ name: 'Renamed', config: { key: 'id' } })).status).toBe(200)
  })
})
