import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'data', 'integrations'] })
})
afterAll(() => fleet.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = { status: number; headers: Headers; body: any }
const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body, headers })

const base = 'http://127.0.0.1:9009/api'
const fit = {
  http: { provider: 'http', config: { base_url: base }, secrets: { token: 'secret' } },
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
const configs = { http: { url: `${base}/rows.csv` }, postgres: { query: 'SELECT 1 AS id' }, s3: {} }
type Provider = keyof typeof fit

async function connected(provider: Provider = 'http', as = fleet.owner): Promise<string> {
  const body = { name: 'Somewhere', ...fit[provider] }
  const answer = await fleet.request('POST', '/v1/integrations/integrations', { as: as.apiKey, body })
  if (answer.status !== 201) throw new Error(`not connected: ${JSON.stringify(answer.body)}`)
  return answer.body.data.integration_id
}
const create = (provider: Provider, integrationId: string | null, more: object = {}, headers = {}) =>
  request(
    'POST',
    '/v1/data/sources',
    { name: 'Rooms', provider, integration_id: integrationId, config: configs[provider], ...more },
    headers,
  )
async function source(provider: Provider, integrationId: string): Promise<string> {
  const answer = await create(provider, integrationId)
  if (answer.status !== 201) throw new Error(`no source: ${JSON.stringify(answer.body)}`)
  return answer.body.data.data_source_id
}
const patch = (id: string, body: object, headers = {}) => request('PATCH', `/v1/data/sources/${id}`, body, headers)

/** The sources that integrations believes use one. */
const uses = async (integrationId: string): Promise<string[]> =>
  (
    await queryAsWorker<{ id: string }>(
      fleet.env('integrations'),
      `SELECT id FROM integration_uses WHERE integration_id = $1 AND service = 'data' AND type = 'data_source'`,
      [integrationId],
    )
  ).map(({ id }) => id)
const usedBy = (integrationId: string, ids: string[]) =>
  eventually(async () => JSON.stringify(await uses(integrationId)) === JSON.stringify(ids), {
    description: `the uses of ${integrationId}`,
  })

const refused = ({ status, body }: Answer) => [status, body.code, body.errors?.[0]?.pointer]
const missing = 'int_01h455vb4pex5vsknk084sn02q'

describe('a source that is read through an integration', () => {
  it.each(['http', 'postgres', 's3'] as const)('of %s is known to it, until it is deleted', async (provider) => {
    const integration = await connected(provider)
    const id = await source(provider, integration)
    expect((await request('GET', `/v1/data/sources/${id}`)).body.data).toMatchObject({
      provider,
      integration_id: integration,
      config: configs[provider],
    })
    expect(await uses(integration)).toEqual([id])
    const inUse = await request('DELETE', `/v1/integrations/integrations/${integration}`)
    expect([inUse.status, inUse.body.users]).toEqual([409, [{ service: 'data', type: 'data_source', id }]])
    expect((await request('DELETE', `/v1/data/sources/${id}`)).status).toBe(200)
    await usedBy(integration, [])
    expect((await request('DELETE', `/v1/integrations/integrations/${integration}`)).status).toBe(200)
  })

  it('is known to the one it was pointed to, and no more to the one before', async () => {
    const [one, other] = [await connected(), await connected()]
    const id = await source('http', one)
    expect((await patch(id, { integration_id: other })).body.data).toMatchObject({ integration_id: other })
    await usedBy(one, [])
    expect(await uses(other)).toEqual([id])
    // There and back at once: a use that is being let go of is not mistaken for the new one.
    for (const integration_id of [one, other, one, other, null, one])
      expect([integration_id, (await patch(id, { integration_id })).status]).toEqual([integration_id, 200])
    await usedBy(other, [])
    await eventually(async () => {
      const jobs = `SELECT FROM platform.jobs WHERE queue = 'release' AND subject = $1 AND state IN ('queued', 'running')`
      return (await queryAsWorker(fleet.env('data'), jobs, [id])).length === 0
    })
    expect(await uses(one)).toEqual([id])
  })

  it('stays known to it when a release comes that is not so, as after a commit nobody was told of', async () => {
    const integration = await connected()
    const id = await source('http', integration)
    const job = 'sync_01h455vb4pex5vsknk084sn02q'
    await queryAsWorker(
      fleet.env('data'),
      `INSERT INTO platform.jobs (id, queue, workspace_id, subject, exclusive, input)
       VALUES ($1, 'release', $2, $3, $3 || ' ' || $4,
               jsonb_build_object('dataSourceId', $3::text, 'integrationId', $4::text))`,
      [job, fleet.owner.workspaceId, id, integration],
    )
    const ended = 'SELECT FROM platform.jobs WHERE id = $1 AND state = $2'
    await eventually(async () => (await queryAsWorker(fleet.env('data'), ended, [job, 'finished'])).length === 1)
    expect(await uses(integration)).toEqual([id])
  })

  it('is listed by it', async () => {
    const integration = await connected()
    const id = await source('http', integration)
    const { data } = (await request('GET', `/v1/data/sources?integration_id=${integration}`)).body
    expect(data.map((one: { data_source_id: string }) => one.data_source_id)).toEqual([id])
  })
})

describe('an integration is refused', () => {
  it('that is not there, or another workspace has', async () => {
    const foreign = await connected('http', fleet.stranger)
    const id = await source('http', await connected())
    for (const integration of [missing, foreign]) {
      expect(refused(await create('http', integration))).toEqual([400, 'unknown_reference', '/integration_id'])
      expect(refused(await patch(id, { integration_id: integration }))).toEqual([
        400,
        'unknown_reference',
        '/integration_id',
      ])
    }
    expect(await uses(foreign)).toEqual([])
  })

  it('that is of another provider, or disconnected, and is free again', async () => {
    const [other, off] = [await connected('s3'), await connected('http')]
    await request('PATCH', `/v1/integrations/integrations/${off}`, { status: 'disconnected' })
    for (const integration of [other, off]) {
      expect(refused(await create('http', integration))).toEqual([400, 'validation_failed', '/integration_id'])
      await usedBy(integration, [])
    }
  })

  it('where the provider has none, needs one, or could not be', async () => {
    const integration = await connected()
    const upload = { name: 'Rooms', provider: 'upload' }
    const id = (await request('POST', '/v1/data/sources', upload)).body.data.data_source_id
    const at = [400, 'validation_failed', '/integration_id']
    expect(refused(await request('POST', '/v1/data/sources', { ...upload, integration_id: integration }))).toEqual(at)
    expect(refused(await patch(id, { integration_id: integration }))).toEqual(at)
    expect(refused(await create('postgres', null))).toEqual(at)
    expect(refused(await create('s3', null))).toEqual(at)
    expect(refused(await patch(await source('s3', await connected('s3')), { integration_id: null }))).toEqual(at)
    expect(refused(await create('http', 'int_1'))).toEqual(at)
    expect((await create('http', null)).status).toBe(201)
  })

  it('that the address does not lie under', async () => {
    const integration = await connected()
    const id = await source('http', integration)
    const at = [400, 'validation_failed', '/config/url']
    for (const url of [
      'http://127.0.0.1:9009/other',
      'http://127.0.0.1:9008/api/x',
      `${base}/../x`,
      `${base}/..%2fx`,
    ]) {
      expect([url, ...refused(await create('http', integration, { config: { url } }))]).toEqual([url, ...at])
      expect([url, ...refused(await patch(id, { config: { url } }))]).toEqual([url, ...at])
    }
    expect((await patch(id, { config: { url: `${base}/b.csv` } })).status).toBe(200)
    expect(await uses(integration)).toEqual([id])
  })
})

describe('a change that is not made', () => {
  it('leaves no use behind: a source that is answered from before, a condition that does not hold', async () => {
    const [one, other] = [await connected(), await connected()]
    const key = { 'idempotency-key': 'once' }
    const first = await create('http', one, {}, key)
    const again = await create('http', one, {}, key)
    const id: string = first.body.data.data_source_id
    expect([again.status, again.headers.get('idempotency-replayed'), again.body.data.data_source_id]).toEqual([
      201,
      'true',
      id,
    ])
    await usedBy(one, [id])
    const stale = { 'if-match': '"stale"', 'idempotency-key': 'twice' }
    expect((await patch(id, { integration_id: other }, stale)).status).toBe(412)
    await usedBy(other, [])
    expect(await uses(one)).toEqual([id])
  })

  it('because integrations cannot be asked is 503; what is deleted meanwhile is let go of later', async () => {
    const [one, other] = [await connected(), await connected()]
    const id = await source('http', one)
    await fleet.member('integrations').stop()
    expect((await create('http', other)).status).toBe(503)
    expect((await patch(id, { integration_id: other })).status).toBe(503)
    expect((await request('GET', `/v1/data/sources/${id}`)).body.data.integration_id).toBe(one)
    // What needs no integration to be asked is done.
    expect((await patch(id, { name: 'Renamed', config: { key: 'id' } })).status).toBe(200)
    expect((await request('DELETE', `/v1/data/sources/${id}`)).status).toBe(200)
    await fleet.restart('integrations')
    await usedBy(one, [])
    expect(await uses(other)).toEqual([])
  })
})
