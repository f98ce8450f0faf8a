import { afterAll, describe, expect, it } from '@jest/globals'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

describe('a data source', () => {
  it('is created with defaults, and read', async () => {
    const created = await service.request('POST', '/v1/data/sources', {
      body: {
        name: 'Badges',
        provider: 'upload',
        config: { key: 'id' },
        metadata: { site: 'north' },
        external_id: 'x1',
      },
    })
    expect(created.status).toBe(201)
    const { data } = created.body
    expect(data).toEqual({
      data_source_id: expect.stringMatching(/^src_/),
      name: 'Badges',
      provider: 'upload',
      config: { key: 'id' },
      integration_id: null,
      last_error: null,
      next_sync_at: null,
      record_access: 'full',
      sync_mode: 'incremental',
      embed: false,
      schedule: { type: 'manual' },
      status: 'active',
      schema: [],
      record_count: 0,
      last_sync_id: null,
      last_synced_at: null,
      metadata: { site: 'north' },
      external_id: 'x1',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: data.created_at,
    })
    expect(created.headers.get('location')).toBe(`http://localhost:4000/v1/data/sources/${data.data_source_id}`)
    const read = await service.get(`/v1/data/sources/${data.data_source_id}`)
    expect(read.body.data).toEqual(data)
    const same = await service.request('GET', `/v1/data/sources/${data.data_source_id}`, {
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    })
    expect(same.status).toBe(304)
  })

  it.each([
    [{ name: 'A' }, '/provider'],
    [{ name: 'A', provider: 'ftp' }, '/provider'],
    [{ provider: 'upload' }, '/name'],
    [{ name: '', provider: 'upload' }, '/name'],
    [{ name: 'A', provider: 'upload', config: { colour: 'x' } }, '/config/colour'],
    [{ name: 'A', provider: 'upload', owner: 'me' }, '/owner'],
    [{ name: 'A', provider: 'upload', schedule: { type: 'cron' } }, '/schedule/type'],
  ])('is refused with a pointer to the invalid member when the body is %j', async (body, pointer) => {
    const response = await service.request('POST', '/v1/data/sources', { body })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] })
  })

  it('merges a PATCH, in which null clears a member', async () => {
    const id = await service.createSource({
      config: { key: 'id', title_field: 't' },
      metadata: { a: '1', b: '2' },
      external_id: 'x2',
    })
    const patch = (body: unknown) => service.request('PATCH', `/v1/data/sources/${id}`, { body })
    const merged = await patch({ config: { title_field: null, url_field: 'u' }, metadata: { b: null, c: '3' } })
    expect(merged.body.data).toMatchObject({
      name: 'Occupancy',
      config: { key: 'id', url_field: 'u' },
      metadata: { a: '1', c: '3' },
      external_id: 'x2',
    })
    const cleared = await patch({ config: null, metadata: null, external_id: null, name: 'Renamed', status: 'paused' })
    expect(cleared.body.data).toMatchObject({
      name: 'Renamed',
      status: 'paused',
      config: {},
      metadata: {},
      external_id: null,
    })
    expect((await patch({ provider: 'http' })).body.errors).toEqual([
      { pointer: '/provider', detail: 'is not a known field' },
    ])
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 'v']))
    await patch({ metadata: many })
    expect((await patch({ metadata: { one: 'more' } })).body.errors).toMatchObject([{ pointer: '/metadata' }])
  })

  it('is listed newest first, in pages, with filters', async () => {
    const ids = []
    for (const name of ['one', 'two', 'two'])
      ids.unshift(await service.createSource({ name, external_id: `e-${name}` }))
    const first = await service.get('/v1/data/sources?limit=2')
    expect(first.body.data.map((source: { data_source_id: string }) => source.data_source_id)).toEqual(ids.slice(0, 2))
    expect(first.body.pagination).toMatchObject({ has_more: true })
    const second = await service.get(`/v1/data/sources?limit=1&cursor=${first.body.pagination.next_cursor}`)
    expect(second.body.data).toMatchObject([{ data_source_id: ids[2], name: 'one' }])
    expect((await service.get('/v1/data/sources?name=two')).body.data).toHaveLength(2)
    const contains = async (text: string) =>
      (await service.get(`/v1/data/sources?search=${encodeURIComponent(text)}`)).body.data.length
    expect([await contains('TW'), await contains('%'), await contains('t_o')]).toEqual([2, 0, 0])
    expect((await service.get('/v1/data/sources?external_id=e-one')).body.data).toHaveLength(1)
    expect((await service.get('/v1/data/sources?name=one&status=paused')).body.data).toHaveLength(0)
    expect((await service.get('/v1/data/sources?cursor=nonsense')).body).toMatchObject({ code: 'invalid_cursor' })
  })

  it('is deleted with its records and syncs', async () => {
    const id = await service.createSource()
    await service.upload(id, 'text/csv', 'a,b\n1,2\n3,4\n')
    const [record] = await service.listAll(`/v1/data/sources/${id}/records`)
    const deleted = await service.request('DELETE', `/v1/data/sources/${id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ success: true, data: { data_source_id: id, deleted: true } })
    for (const path of [
      `/v1/data/sources/${id}`,
      `/v1/data/sources/${id}/records`,
      `/v1/data/sources/${id}/syncs`,
      `/v1/data/records/${record.record_id}`,
    ])
      expect((await service.get(path)).status).toBe(404)
    expect((await service.request('DELETE', `/v1/data/sources/${id}`)).status).toBe(404)
    expect((await service.upload(id, 'text/csv', 'a,b\n1,2\n')).status).toBe(404)
  })
})

describe('health', () => {
  it('is public', async () => {
    const response = await service.request('GET', '/v1/data/health', {
      caller: { principal: { id: 'anonymous', type: 'anonymous' }, workspaceId: null, scopes: [] },
    })
    expect(response.body).toEqual({ success: true, data: { status: 'ok' } })
  })
})
