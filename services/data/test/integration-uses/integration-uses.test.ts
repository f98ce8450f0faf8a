import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'

const fleet = await startTestFleet({ services: ['auth', 'data', 'integrations'] })
afterAll(() => fleet.stop())

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
type ApiResponse = { status: number; headers: Headers; body: any }
const request = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> => fleet.request(method, path, { as: fleet.owner.apiKey, body, headers })

const baseUrl = 'http://127.0.0.1:9009/api'
const integrations = {
  http: { provider: 'http', config: { base_url: baseUrl }, secrets: { token: 'secret' } },
  postgres: {
    provider: 'postgres',
    config: { host: '127.0.0.1', port: 9010, database: 'd', user: 'u' },
    secrets: { password: 'secret' },
  },
  s3: {
    provider: 's3',
    config: { endpoint: 'http://127.0.0.1:9011', region: 'eu', bucket: 'bucket', access_key_id: 'k' },
    secrets: { secret_access_key: 'secret' },
  },
}
const configs = { http: { url: `${baseUrl}/rows.csv` }, postgres: { query: 'SELECT 1 AS id' }, s3: {} }
type Provider = keyof typeof integrations

async function createIntegration(provider: Provider = 'http', as = fleet.owner): Promise<string> {
  const body = { name: 'Somewhere', ...integrations[provider] }
  const response = await fleet.request('POST', '/v1/integrations/integrations', { as: as.apiKey, body })
  if (response.status !== 201) throw new Error(`failed to create an integration: ${JSON.stringify(response.body)}`)
  return response.body.data.integration_id
}
const requestSource = (provider: Provider, integrationId: string | null, more: object = {}, headers = {}) =>
  request(
    'POST',
    '/v1/data/sources',
    { name: 'Rooms', provider, integration_id: integrationId, config: configs[provider], ...more },
    headers,
  )
async function createSource(provider: Provider, integrationId: string): Promise<string> {
  const response = await requestSource(provider, integrationId)
  if (response.status !== 201) throw new Error(`failed to create a source: ${JSON.stringify(response.body)}`)
  return response.body.data.data_source_id
}
const patchSource = (id: string, body: object, headers = {}) =>
  request('PATCH', `/v1/data/sources/${id}`, body, headers)

/** Lists the sources that the integrations service has registered as users of an integration. */
const listUses = async (integrationId: string): Promise<string[]> =>
  (
    await queryAsWorker<{ id: string }>(
      fleet.env('integrations'),
      `SELECT id FROM integration_uses WHERE integration_id = $1 AND service = 'data' AND type = 'data_source'`,
      [integrationId],
    )
  ).map(({ id }) => id)
const waitForUses = (integrationId: string, ids: string[]) =>
  eventually(async () => JSON.stringify(await listUses(integrationId)) === JSON.stringify(ids), {
    description: `the uses of ${integrationId}`,
  })

const refusalOf = ({ status, body }: ApiResponse) => [status, body.code, body.errors?.[0]?.pointer]
const unknownId = 'int_01h455vb4pex5vsknk084sn02q'

describe('a source with an integration', () => {
  it.each(['http', 'postgres', 's3'] as const)(
    'of provider %s is registered as its user until the source is deleted',
    async (provider) => {
      const integration = await createIntegration(provider)
      const id = await createSource(provider, integration)
      expect((await request('GET', `/v1/data/sources/${id}`)).body.data).toMatchObject({
        provider,
        integration_id: integration,
        config: configs[provider],
      })
      expect(await listUses(integration)).toEqual([id])
      const inUse = await request('DELETE', `/v1/integrations/integrations/${integration}`)
      expect([inUse.status, inUse.body.users]).toEqual([409, [{ service: 'data', type: 'data_source', id }]])
      expect((await request('DELETE', `/v1/data/sources/${id}`)).status).toBe(200)
      await waitForUses(integration, [])
      expect((await request('DELETE', `/v1/integrations/integrations/${integration}`)).status).toBe(200)
    },
  )

  it('is registered with its new integration only, when the integration is changed', async () => {
    const [first, second] = [await createIntegration(), await createIntegration()]
    const id = await createSource('http', first)
    expect((await patchSource(id, { integration_id: second })).body.data).toMatchObject({ integration_id: second })
    await waitForUses(first, [])
    expect(await listUses(second)).toEqual([id])
    // Rapid changes back and forth: a pending release must not drop a new use.
    for (const integration_id of [first, second, first, second, null, first])
      expect([integration_id, (await patchSource(id, { integration_id })).status]).toEqual([integration_id, 200])
    await waitForUses(second, [])
    await eventually(async () => {
      const jobs = `SELECT FROM platform.jobs WHERE queue = 'release' AND subject = $1 AND state IN ('queued', 'running')`
      return (await queryAsWorker(fleet.env('data'), jobs, [id])).length === 0
    })
    expect(await listUses(first)).toEqual([id])
  })

  it('stays registered when a release is queued although the source still uses the integration', async () => {
    const integration = await createIntegration()
    const id = await createSource('http', integration)
    const job = 'sync_01h455vb4pex5vsknk084sn02q'
    await queryAsWorker(
      fleet.env('data'),
      `INSERT INTO platform.jobs (id, queue, workspace_id, subject, exclusive, input)
       VALUES ($1, 'release', $2, $3, $3 || ' ' || $4,
               jsonb_build_object('resourceId', $3::text, 'integrationId', $4::text))`,
      [job, fleet.owner.workspaceId, id, integration],
    )
    const ended = 'SELECT FROM platform.jobs WHERE id = $1 AND state = $2'
    await eventually(async () => (await queryAsWorker(fleet.env('data'), ended, [job, 'finished'])).length === 1)
    expect(await listUses(integration)).toEqual([id])
  })

  it('is listed when sources are filtered by the integration', async () => {
    const integration = await createIntegration()
    const id = await createSource('http', integration)
    const { data } = (await request('GET', `/v1/data/sources?integration_id=${integration}`)).body
    expect(data.map((source: { data_source_id: string }) => source.data_source_id)).toEqual([id])
  })
})

describe('an integration is rejected', () => {
  it('when it does not exist or belongs to another workspace', async () => {
    const foreign = await createIntegration('http', fleet.stranger)
    const id = await createSource('http', await createIntegration())
    for (const integration of [unknownId, foreign]) {
      expect(refusalOf(await requestSource('http', integration))).toEqual([400, 'unknown_reference', '/integration_id'])
      expect(refusalOf(await patchSource(id, { integration_id: integration }))).toEqual([
        400,
        'unknown_reference',
        '/integration_id',
      ])
    }
    expect(await listUses(foreign)).toEqual([])
  })

  it('and released again when it has another provider or is disconnected', async () => {
    const [otherProvider, disconnected] = [await createIntegration('s3'), await createIntegration('http')]
    await request('PATCH', `/v1/integrations/integrations/${disconnected}`, { status: 'disconnected' })
    for (const integration of [otherProvider, disconnected]) {
      expect(refusalOf(await requestSource('http', integration))).toEqual([400, 'validation_failed', '/integration_id'])
      await waitForUses(integration, [])
    }
  })

  it('when the provider allows none, requires one, or the id is malformed', async () => {
    const integration = await createIntegration()
    const upload = { name: 'Rooms', provider: 'upload' }
    const id = (await request('POST', '/v1/data/sources', upload)).body.data.data_source_id
    const at = [400, 'validation_failed', '/integration_id']
    expect(refusalOf(await request('POST', '/v1/data/sources', { ...upload, integration_id: integration }))).toEqual(at)
    expect(refusalOf(await patchSource(id, { integration_id: integration }))).toEqual(at)
    expect(refusalOf(await requestSource('postgres', null))).toEqual(at)
    expect(refusalOf(await requestSource('s3', null))).toEqual(at)
    expect(
      refusalOf(await patchSource(await createSource('s3', await createIntegration('s3')), { integration_id: null })),
    ).toEqual(at)
    expect(refusalOf(await requestSource('http', 'int_1'))).toEqual(at)
    expect((await requestSource('http', null)).status).toBe(201)
  })

  it('when the URL of the source is not below its base URL', async () => {
    const integration = await createIntegration()
    const id = await createSource('http', integration)
    const at = [400, 'validation_failed', '/config/url']
    for (const url of [
      'http://127.0.0.1:9009/other',
      'http://127.0.0.1:9008/api/x',
      `${baseUrl}/../x`,
      `${baseUrl}/..%2fx`,
    ]) {
      expect([url, ...refusalOf(await requestSource('http', integration, { config: { url } }))]).toEqual([url, ...at])
      expect([url, ...refusalOf(await patchSource(id, { config: { url } }))]).toEqual([url, ...at])
    }
    expect((await patchSource(id, { config: { url: `${baseUrl}/b.csv` } })).status).toBe(200)
    expect(await listUses(integration)).toEqual([id])
  })
})

describe('a change that fails', () => {
  it('leaves no use behind when it is replayed or its precondition fails', async () => {
    const [first, second] = [await createIntegration(), await createIntegration()]
    const key = { 'idempotency-key': 'once' }
    const created = await requestSource('http', first, {}, key)
    const replayed = await requestSource('http', first, {}, key)
    const id: string = created.body.data.data_source_id
    expect([replayed.status, replayed.headers.get('idempotency-replayed'), replayed.body.data.data_source_id]).toEqual([
      201,
      'true',
      id,
    ])
    await waitForUses(first, [id])
    const stale = { 'if-match': '"stale"', 'idempotency-key': 'twice' }
    expect((await patchSource(id, { integration_id: second }, stale)).status).toBe(412)
    await waitForUses(second, [])
    expect(await listUses(first)).toEqual([id])
  })

  it('is 503 when the integrations service is unavailable; uses of deleted sources are released later', async () => {
    const [first, second] = [await createIntegration(), await createIntegration()]
    const id = await createSource('http', first)
    await fleet.member('integrations').stop()
    expect((await requestSource('http', second)).status).toBe(503)
    expect((await patchSource(id, { integration_id: second })).status).toBe(503)
    expect((await request('GET', `/v1/data/sources/${id}`)).body.data.integration_id).toBe(first)
    // Changes that do not concern the integration succeed.
    expect((await patchSource(id, { name: 'Renamed', config: { key: 'id' } })).status).toBe(200)
    expect((await request('DELETE', `/v1/data/sources/${id}`)).status).toBe(200)
    await fleet.restart('integrations')
    await waitForUses(first, [])
    expect(await listUses(second)).toEqual([])
  })
})
