import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { queryAsWorker } from '../support/database.ts'
import { type DataService, startDataService } from '../support/service.ts'
import { closeSites, respondJson, startSite } from '../support/sources/http-site.ts'

let service: DataService
let isOwner = true
beforeAll(async () => {
  const internal = { callForCaller: async () => ({ is_owner: isOwner }), close: async () => {} }
  // The auth service alone is called, to ask whether the caller is an owner.
  service = await startDataService({ ENVIRONMENT: 'development' }, { internal: internal as never })
})
afterAll(async () => {
  closeSites()
  await service.stop()
})

const restricted = { status: 403, body: { code: 'records_restricted' } }
const change = (id: string, body: object) => service.request('PATCH', `/v1/data/sources/${id}`, { body })
const search = (body: object) => service.request('POST', '/v1/data/search', { body })

/** Creates a source with these rooms. @returns its id */
async function createRooms(rooms: readonly string[], fields: object = {}): Promise<string> {
  const id = await service.createSource({ config: { key: 'room' }, ...fields })
  await service.upload(id, 'text/csv', `room,people\n${rooms.map((room, n) => `${room},${n}`).join('\n')}\n`)
  return id
}

describe('the records of a source that are restricted to aggregates', () => {
  it('are refused to every reader', async () => {
    const id = await createRooms(['Zirkonsaal', 'Opalsaal'])
    const [record] = await service.listAll(`/v1/data/sources/${id}/records`)
    expect((await change(id, { record_access: 'aggregates' })).body.data).toMatchObject({
      record_access: 'aggregates',
      schema: [
        { name: 'room', type: 'string' },
        { name: 'people', type: 'number' },
      ],
    })
    expect(await service.get(`/v1/data/sources/${id}/records`)).toMatchObject(restricted)
    expect(await service.get(`/v1/data/records/${record.record_id}`)).toMatchObject(restricted)
    const rows = `/internal/data/sources/${id}`
    expect(await service.request('GET', `${rows}/unrestricted-rows?fields=room`, { signer: 'ai' })).toMatchObject(
      restricted,
    )
    const remove = (body: object) => service.request('POST', `/v1/data/sources/${id}/records/delete`, { body })
    expect(await remove({ filter: { people: { gt: 3 } } })).toMatchObject(restricted)
    expect((await remove({ keys: ['Opalsaal'] })).body.data.counts).toEqual({ seen: 1, deleted: 1 })
  })

  it('are read by the solutions service alone', async () => {
    const id = await createRooms(['a', 'b'], { record_access: 'aggregates' })
    const read = (signer: 'solutions' | 'ai' | 'gateway', path: string) =>
      service.request('GET', `/internal/data/sources/${id}/${path}?fields=room`, { signer })
    expect((await read('solutions', 'rows')).body).toMatchObject({ rows: [['a'], ['b']], is_restricted: true })
    for (const [signer, path] of [
      ['ai', 'rows'],
      ['gateway', 'rows'],
      ['solutions', 'unrestricted-rows'],
    ] as const)
      expect(await read(signer, path)).toMatchObject({ status: 403, body: { code: 'caller_not_allowed' } })
  })

  it.each([
    [
      'without a number or time when many have the period of a further file',
      'aggregates',
      'people',
      100,
      [{ code: 'overlaps', column: 'day', message: expect.not.stringMatching(/\d/) }],
    ],
    ['not at all when fewer have it', 'aggregates', 'people', 99, []],
    [
      'with their number when one may read them',
      'full',
      'people',
      10,
      [{ code: 'overlaps', column: 'day', message: expect.stringContaining('10 other rows from 2026-03-10') }],
    ],
    ['not at all when their times are pseudonyms', 'full', 'day', 100, []],
  ])('are told of %s', async (_, record_access, protectedColumn, rows, warnings) => {
    const month = (people: number) =>
      `day,people\n${Array.from({ length: rows }, (_row, n) => `2026-03-${10 + (n % 10)},${people + n}`).join('\n')}\n`
    const id = await service.createSource({ record_access, config: { pseudonymize: [protectedColumn] } })
    await service.upload(id, 'text/csv', month(1000))
    const { data } = (await service.upload(id, 'text/csv', month(5000))).body
    const overlaps = (data.warnings ?? []).filter(({ code }: { code: string }) => code === 'overlaps')
    expect([data.counts.created, overlaps]).toEqual([rows, warnings])
  })

  it('are in no index, and leave it when they are written again', async () => {
    const indexed = (id: string) =>
      queryAsWorker(
        service.env,
        `SELECT data->>'room' AS room FROM data_records
          WHERE data_source_id = $1 AND (words, title, url, text) IS DISTINCT FROM (NULL, NULL, NULL, NULL)`,
        [id],
      )
    expect(await indexed(await createRooms(['Beryllsaal'], { record_access: 'aggregates' }))).toEqual([])
    const closed = await createRooms(['Achatsaal', 'Granatsaal'])
    expect(await indexed(closed)).toHaveLength(2)
    await change(closed, { record_access: 'aggregates' })
    await service.upload(closed, 'text/csv', 'room,people\nAchatsaal,5\n')
    expect(await indexed(closed)).toEqual([{ room: 'Granatsaal' }])
  })

  it('are left out of hits, counts, facets and spellings, with a warning', async () => {
    const open = await createRooms(['Malachit', 'Topas'])
    const closed = await createRooms(['Malachit', 'Turmalin'])
    const both = { data_source_ids: [open, closed] }
    expect((await search({ ...both, query: 'Malachit' })).body.data).toHaveLength(2)
    await change(closed, { record_access: 'aggregates' })
    const warning = { code: 'records_restricted', message: expect.stringContaining('1 data source') }
    const bodies = [
      { query: 'Malachit', facets: ['room'] },
      { filters: { room: 'Malachit' }, facets: ['room'] },
      { filters: { people: { gte: 0 } }, sort: 'room', facets: ['room'] },
    ]
    for (const body of bodies) {
      const { data, meta } = (await search({ ...both, ...body, include: ['data'] })).body
      expect(data.map(({ data_source_id: source }: { data_source_id: string }) => source)).toEqual(data.map(() => open))
      expect(data.length).toBe(meta.total)
      expect(meta.facets.room.map(({ value }: { value: string }) => value)).not.toContain('Turmalin')
      expect(meta.warnings).toContainEqual(warning)
    }
    // A word of one letter more would be corrected to one that another record has.
    const { data, meta } = (await search({ query: 'Turmalim' })).body
    expect([data, JSON.stringify(meta.warnings)]).toEqual([[], expect.not.stringContaining('urmalin')])
    expect(await search({ data_source_ids: [closed], query: 'Malachit' })).toMatchObject(restricted)
    expect(await service.get(`/v1/data/search?q=Malachit&data_source_id=${closed}`)).toMatchObject(restricted)
    expect(await search({ data_source_ids: [closed], filters: { room: 'x' } })).toMatchObject(restricted)
  })

  it('are not on further pages of a search that began before', async () => {
    const rooms = Array.from({ length: 12 }, (_, n) => `Beryll ${n}`)
    const closed = await createRooms(rooms)
    const open = await createRooms(['Beryll'])
    const body = { query: 'Beryll', data_source_ids: [open, closed], limit: 4 }
    const first = await search(body)
    const second = await search({ ...body, cursor: first.body.pagination.next_cursor })
    expect(second.body.data).toHaveLength(4)
    await change(closed, { record_access: 'aggregates' })
    for (const page of [first, second]) {
      const next = await search({ ...body, cursor: page.body.pagination.next_cursor })
      const found = (next.body.data ?? []).map(({ data_source_id: id }: { data_source_id: string }) => id)
      expect([found.includes(closed), next.body.meta?.total ?? 0]).toEqual([false, expect.any(Number)])
    }
  })

  it('are not read for a ranking that was stored before', async () => {
    const closed = await createRooms(Array.from({ length: 12 }, (_, n) => `Jaspis ${n}`))
    const body = { query: 'Jaspis', limit: 4 }
    const first = await search(body)
    const second = await search({ ...body, cursor: first.body.pagination.next_cursor })
    // Without the deletion of stored rankings, as when one is stored at the same time.
    const statement = `UPDATE data_sources SET record_access = 'aggregates' WHERE data_source_id = $1`
    await queryAsWorker(service.env, statement, [closed])
    const third = await search({ ...body, cursor: second.body.pagination.next_cursor })
    expect(third).toMatchObject({ status: 200, body: { data: [] } })
  })

  it('are not shown by a preview of what the source reads', async () => {
    const site = await startSite({ '/rows': respondJson([{ room: 'a' }]) })
    const id = await service.createSource({
      provider: 'http',
      config: { url: `${site.url}/rows` },
      record_access: 'aggregates',
    })
    expect(await service.request('POST', `/v1/data/preview?data_source_id=${id}`)).toMatchObject(restricted)
    expect(site.requests).toEqual([])
  })

  it('are never embedded', async () => {
    const refused = { status: 400, body: { errors: [{ pointer: '/embed' }] } }
    const body = { name: 'Rooms', provider: 'upload', embed: true, record_access: 'aggregates' }
    expect(await service.request('POST', '/v1/data/sources', { body })).toMatchObject(refused)
    const id = await service.createSource({ embed: true })
    expect(await change(id, { record_access: 'aggregates' })).toMatchObject(refused)
    expect((await change(id, { record_access: 'aggregates', embed: false })).status).toBe(200)
    expect(await change(id, { embed: true })).toMatchObject(refused)
  })

  it('hide the values of rows that were refused before the change', async () => {
    const id = await service.createSource({ config: { fields: { people: { type: 'number' } } } })
    const rows = Array.from({ length: 30 }, (_, n) => `r${n},${n}`).join('\n')
    const { body } = await service.upload(id, 'text/csv', `room,people\n${rows}\nX,Smaragd\n`, {
      prefer: 'respond-async',
    })
    const syncs = () => service.get(`/v1/data/sources/${id}/syncs`)
    expect((await syncs()).body.data[0].bad_rows).toMatchObject([{ column: 'people', value: 'Smaragd' }])
    await change(id, { record_access: 'aggregates' })
    for (const shown of [(await syncs()).body.data[0], (await service.get(`/v1/data/syncs/${body.data.id}`)).body.data])
      expect(shown.bad_rows).toEqual([
        { line: 32, column: 'people', reason: 'column "people": its value cannot be read' },
      ])
  })
})

describe('record_access', () => {
  it('is restricted by an owner only, and the audit log has it', async () => {
    const id = await service.createSource()
    isOwner = false
    expect(await change(id, { record_access: 'aggregates' })).toMatchObject({
      status: 403,
      body: { code: 'owner_required' },
    })
    expect((await change(id, { record_access: 'full', name: 'Renamed' })).status).toBe(200)
    isOwner = true
    expect((await change(id, { record_access: 'aggregates' })).status).toBe(200)
    const [event] = await queryAsWorker<{ data: unknown }>(
      service.env,
      `SELECT data FROM platform.outbox WHERE data->>'action' = 'data_source.updated' AND data::text LIKE '%' || $1 || '%'
        ORDER BY occurred_at DESC LIMIT 1`,
      [id],
    )
    expect(event).toMatchObject({ data: { changes: { record_access: 'aggregates' } } })
  })

  it('is never changed back to full, by an owner neither', async () => {
    const id = await createRooms(['a'], { record_access: 'aggregates' })
    expect(await change(id, { record_access: 'full' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await service.get(`/v1/data/sources/${id}/records`)).toMatchObject(restricted)
  })
})
