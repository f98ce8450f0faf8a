import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'data', 'integrations'] })
afterAll(() => fleet.stop())

const baseUrl = 'http://127.0.0.1:9009/api'
const integrations = {
  http: { config: { base_url: baseUrl }, secrets: { token: 'secret' } },
  postgres: { config: { host: '127.0.0.1', port: 9010, database: 'd', user: 'u' }, secrets: { password: 'secret' } },
  s3: {
    config: { endpoint: 'http://127.0.0.1:9011', region: 'eu', bucket: 'bucket', access_key_id: 'k' },
    secrets: { secret_access_key: 'secret' },
  },
}
const configs = { http: { url: `${baseUrl}/rows.csv` }, postgres: { query: 'SELECT 1 AS id' }, s3: {} }

/** Creates a source that is read through an integration. @returns its id */
async function createSource(provider: keyof typeof integrations): Promise<string> {
  const create = async (path: string, fields: object) => {
    const body = { name: 'Somewhere', provider, ...fields }
    const response = await fleet.request('POST', path, { as: fleet.owner.apiKey, body })
    if (response.status !== 201) throw new Error(`failed to create: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const { integration_id } = await create('/v1/integrations/integrations', integrations[provider])
  return (await create('/v1/data/sources', { integration_id, config: configs[provider] })).data_source_id
}

describe('a key with data:write and without integrations:read', () => {
  const refused = { status: 403, body: { code: 'missing_scope', required_scope: 'integrations:read' } }
  const writer = () => fleet.token(fleet.owner, 'data:read data:write')

  it.each([
    ['http', { url: `${baseUrl}/others.csv` }],
    ['http', { headers: { accept: 'text/csv' } }],
    ['postgres', { query: 'SELECT * FROM salaries' }],
    ['s3', { prefix: 'others/' }],
  ] as const)(
    'does not change what a source of %s reads when the integration is not its own: %j',
    async (provider, config) => {
      const id = await createSource(provider)
      const path = `/v1/data/sources/${id}`
      const as = await writer()
      expect(await fleet.request('PATCH', path, { as, body: { config } })).toMatchObject(refused)
      const mapping = { config: { key: 'id', title_field: 'name' }, name: 'Renamed' }
      expect((await fleet.request('PATCH', path, { as, body: mapping })).status).toBe(200)
      expect((await fleet.request('PATCH', path, { as: fleet.owner.apiKey, body: { config } })).status).toBe(200)
    },
  )

  it('does not preview what is read with the integration when it may start a sync of it', async () => {
    const id = await createSource('http')
    const as = await writer()
    const preview = `/v1/data/preview?data_source_id=${id}`
    expect(await fleet.request('POST', preview, { as })).toMatchObject(refused)
    const start = await fleet.request('POST', `/v1/data/sources/${id}/sync/start`, { as, body: {} })
    expect(start.status).toBe(202)
  })
})
