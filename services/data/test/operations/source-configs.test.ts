import { afterAll, describe, expect, it } from '@jest/globals'
import type { TestResponse } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const url = 'http://127.0.0.1:9009/rows.csv'
const create = (body: object) => service.request('POST', '/v1/data/sources', { body: { name: 'Rooms', ...body } })
const made = (config: object = {}) => service.createSource({ provider: 'http', config: { url, ...config } })
const patch = (id: string, body: object) => service.request('PATCH', `/v1/data/sources/${id}`, { body })
const pointers = ({ status, body }: TestResponse) => [
  status,
  body.code,
  body.errors?.map(({ pointer }: { pointer: string }) => pointer),
]
const refused = (...at: string[]) => [400, 'validation_failed', at]
const integration = 'int_01h455vb4pex5vsknk084sn02q'

describe('the config of a source', () => {
  it('gets the defaults of its provider', async () => {
    const { status, body } = await create({ provider: 'http', config: { url } })
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({
        provider: 'http',
        config: { url, format: 'auto', headers: {}, overlap_seconds: 0 },
        integration_id: null,
        sync_mode: 'incremental',
        schedule: { type: 'manual' },
        next_sync_at: null,
        status: 'active',
        last_error: null,
      }),
    ])
  })

  it.each<[object, string[]]>([
    [{ provider: 'ftp' }, ['/provider']],
    [{}, ['/provider']],
    [{ provider: 'http' }, ['/config']],
    [{ provider: 'http', config: {} }, ['/config/url']],
    [{ provider: 'http', config: { url, query: 'SELECT 1' } }, ['/config/query']],
    [
      { provider: 'http', config: { url, paging: { type: 'cursor', path: 'next' } } },
      ['/config/paging/path', '/config/paging/parameter'],
    ],
    [{ provider: 'http', config: { url, headers: { 'X-Name': 'ä' } } }, ['/config/headers/X-Name']],
    [{ provider: 'http', config: { url, fields: { at: { type: 'date' } } } }, ['/config/fields/at/type']],
    [
      { provider: 'http', config: { url, fields: { at: { type: 'timestamp', timezone: '+01:00' } } } },
      ['/config/fields/at/timezone'],
    ],
    [
      { provider: 'http', config: { url, fields: { at: { type: 'number', timezone: 'UTC' } } } },
      ['/config/fields/at/timezone'],
    ],
    [{ provider: 'http', config: { url, rows_path: '/a\0' } }, ['/config/rows_path']],
    [{ provider: 'postgres', integration_id: integration, config: {} }, ['/config/query']],
    [{ provider: 'postgres', config: { query: 'SELECT 1' } }, ['/integration_id']],
    [{ provider: 's3', integration_id: integration, config: { prefix: 'a\0' } }, ['/config/prefix']],
    [{ provider: 'upload', config: { url } }, ['/config/url']],
    [{ provider: 'upload', integration_id: integration }, ['/integration_id']],
  ])('%j is rejected at %j', async (body, at) => {
    expect(pointers(await create(body))).toEqual(refused(...at))
  })

  it('is merged as RFC 7396 describes and validated as a whole', async () => {
    const id = await made({ key: 'id', headers: { Accept: 'text/csv', 'X-A': '1' } })
    const changed = await patch(id, { config: { key: null, headers: { 'X-B': '2' }, timestamp_field: 'at' } })
    expect([changed.status, changed.body.data.config]).toEqual([
      200,
      {
        url,
        format: 'auto',
        headers: { Accept: 'text/csv', 'X-A': '1', 'X-B': '2' },
        overlap_seconds: 0,
        timestamp_field: 'at',
      },
    ])
    const withoutHeader = await patch(id, { config: { headers: { 'X-A': null, 'X-C': null } } })
    expect(withoutHeader.body.data.config.headers).toEqual({ Accept: 'text/csv', 'X-B': '2' })
    await patch(id, { config: { headers: { 'X-A': '1' } } })
    expect(pointers(await patch(id, { config: { url: null } }))).toEqual(refused('/config/url'))
    expect(pointers(await patch(id, { config: null }))).toEqual(refused('/config/url'))
    expect(pointers(await patch(id, { config: { query: 'SELECT 1' } }))).toEqual(refused('/config/query'))
    expect(pointers(await patch(id, { config: { headers: { 'X-B': 2 } } }))).toEqual(refused('/config/headers/X-B'))
    expect(pointers(await patch(id, { provider: 'upload' }))).toEqual(refused('/provider'))
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.config).toEqual(changed.body.data.config)
  })

  it('keeps all of several concurrent changes', async () => {
    const id = await made()
    const roles = ['key', 'title_field', 'text_field', 'url_field']
    const responses = await Promise.all(roles.map((role) => patch(id, { config: { [role]: role } })))
    expect(responses.map(({ status }) => status)).toEqual(roles.map(() => 200))
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.config).toMatchObject(
      Object.fromEntries(roles.map((role) => [role, role])),
    )
  })
})

describe('the crawl cursor of a source', () => {
  const generation = async (id: string): Promise<number> => {
    const [row] = await queryAsWorker<{ generation: number }>(
      service.env,
      'SELECT generation FROM data_sources WHERE data_source_id = $1',
      [id],
    )
    return row?.generation ?? -1
  }
  const running = (id: string, sync: string, begun = true) =>
    queryAsWorker(
      service.env,
      `INSERT INTO platform.jobs
         (id, queue, workspace_id, subject, exclusive, input, state, lease_token, lease_until, started_at, run_at)
       SELECT $2, 'sync', workspace_id, $1, $1, '{"trigger":"manual"}', CASE WHEN $3 THEN 'running' ELSE 'queued' END,
              CASE WHEN $3 THEN gen_random_uuid() END, CASE WHEN $3 THEN now() + interval '1 hour' END,
              CASE WHEN $3 THEN now() END, now() + interval '1 hour'
         FROM data_sources WHERE data_source_id = $1`,
      [id, sync, begun],
    )
  const stateOf = async (sync: string) => (await service.get(`/v1/data/syncs/${sync}`)).body.data.status

  it('becomes invalid when the config reads something else, and a running sync is cancelled', async () => {
    const id = await made()
    const [begun, waiting] = ['sync_01h455vb4pex5vsknk084sn02q', 'sync_01h455vb4pex5vsknk084sn02r']
    await running(id, begun)
    for (const body of [
      { name: 'Other' },
      { sync_mode: 'full' },
      { config: { url } },
      { config: { fields: { at: { type: 'timestamp' } }, timestamp_field: 'at', overlap_seconds: 60 } },
    ])
      expect([(await patch(id, body)).status, await generation(id)]).toEqual([200, 0])
    expect(await stateOf(begun)).toBe('running')
    expect((await patch(id, { config: { url: `${url}?b` } })).status).toBe(200)
    expect([await generation(id), await stateOf(begun)]).toEqual([1, 'cancelled'])
    // A queued sync will read the new config.
    await running(id, waiting, false)
    expect((await patch(id, { config: { key: 'id' } })).status).toBe(200)
    expect([await generation(id), await stateOf(waiting)]).toEqual([2, 'queued'])
  })

  it('is reset on request unless a sync is running', async () => {
    const id = await made()
    const start = (body?: object) => service.request('POST', `/v1/data/sources/${id}/sync/start`, { body })
    await running(id, 'sync_01h455vb4pex5vsknk084sn02s')
    expect((await start({ reset_cursor: true })).status).toBe(409)
    expect(await generation(id)).toBe(0)
    await service.request('POST', '/v1/data/syncs/sync_01h455vb4pex5vsknk084sn02s/cancel')
    const started = await start({ reset_cursor: true, mode: 'full' })
    expect([started.status, started.body.data.mode, await generation(id)]).toEqual([202, 'full', 1])
    expect(pointers(await start({ mode: 'some' }))).toEqual(refused('/mode'))
  })
})
