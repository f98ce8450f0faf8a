import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { DeclaredField } from '@wp/contracts'
import { converterFor, jsonConverterFor, typeMismatch } from '../../src/schema/declared-fields.ts'
import { detectSchemaChanges } from '../../src/schema/schema-changes.ts'
import { createSchemaObserver } from '../../src/schema/schema-observer.ts'
import { createLocalTimeConverter } from '../../src/schema/time-zone.ts'
import { compareAsDeclared, matchesFilter } from '../../src/search/query/filter/field-filter.ts'
import type { StoredFields } from '../../src/store/sources/observed-fields.ts'
import { createSearchWorkspace, type SearchWorkspace } from '../support/search-workspace.ts'
import { type DataService, startDataService } from '../support/service.ts'

describe('the local time converter', () => {
  it.each([
    ['Europe/Berlin', '2026-01-05T09:00', '2026-01-05T08:00'],
    ['Europe/Berlin', '2026-07-05T09:00', '2026-07-05T07:00'],
    // Skipped by a clock change: read with the offset before it.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
    // Occurs twice: the first counts.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45'],
    ['Asia/Kolkata', '2026-01-05T09:00', '2026-01-05T03:30'],
    ['UTC', '2026-01-05T09:00', '2026-01-05T09:00'],
  ])('converts, in %s, %s to %s', (zone, local, instant) => {
    expect(new Date(createLocalTimeConverter(zone)(Date.parse(`${local}Z`))).toISOString().slice(0, 16)).toBe(instant)
  })
})

describe('the value of a declared field', () => {
  const berlin: DeclaredField = { type: 'timestamp', timezone: 'Europe/Berlin' }
  it.each<[unknown, DeclaredField, unknown]>([
    [' ', { type: 'number' }, typeMismatch],
    ['1.5', { type: 'number' }, 1.5],
    [2, { type: 'number' }, 2],
    ['1,5', { type: 'number' }, typeMismatch],
    [true, { type: 'number' }, typeMismatch],
    ['TRUE', { type: 'boolean' }, true],
    ['yes', { type: 'boolean' }, typeMismatch],
    [7, { type: 'string' }, '7'],
    [{ a: 1 }, { type: 'string' }, typeMismatch],
    ['2026-01-05 09:00', berlin, Date.parse('2026-01-05T08:00Z')],
    ['2026-01-05T09:00:00Z', berlin, Date.parse('2026-01-05T09:00Z')],
    ['2026-01-05T09:00:00+05:30', berlin, Date.parse('2026-01-05T03:30Z')],
    ['2026-01-05T25:00', berlin, typeMismatch],
    ['2026-04-31T09:00', berlin, typeMismatch],
    ['soon', berlin, typeMismatch],
    [1_767_603_600, berlin, 1_767_603_600_000],
    ['1767603600000', berlin, 1_767_603_600_000],
    [true, berlin, typeMismatch],
    ['', berlin, null],
    [null, { type: 'number' }, null],
    [undefined, { type: 'string' }, null],
  ])('%j declared as %j converts to %p', (value, field, expected) => {
    expect(converterFor(field)(value)).toBe(expected)
  })

  it('is shown as an instant when a time zone is declared, and as null on a type mismatch', () => {
    expect(jsonConverterFor(berlin)('2026-01-05')).toBe('2026-01-04T23:00:00.000Z')
    expect(jsonConverterFor({ type: 'timestamp' })('2026-01-05')).toBe('2026-01-05')
    expect(jsonConverterFor({ type: 'timestamp' })(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(jsonConverterFor({ type: 'number' })('many')).toBe('many')
    expect(jsonConverterFor({ type: 'timestamp' })('05.01.2026 08:00')).toBe('05.01.2026 08:00')
    expect(jsonConverterFor({ type: 'number' })('')).toBeNull()
  })

  it.each<[unknown, Parameters<typeof matchesFilter>[1], DeclaredField, boolean]>([
    ['007', '007', { type: 'string' }, true],
    [7, '7', { type: 'string' }, true],
    ['9', { gt: '10' }, { type: 'string' }, true],
    ['9', { gt: '10' }, { type: 'number' }, false],
    ['10', { gte: '9.5' }, { type: 'number' }, true],
    ['many', { gte: 0 }, { type: 'number' }, false],
    ['many', 'many', { type: 'number' }, true],
    ['2026-01-05 09:00', { gte: '2026-01-05T08:00:00Z', lt: '2026-01-05T08:00:01Z' }, berlin, true],
    ['2026-01-05 09:00', '2026-01-05T08:00:00Z', berlin, true],
    ['2026-01-05 09:00', { gte: '2026-01-05 09:00' }, berlin, true],
    ['x', { lt: '2026-01-05' }, berlin, false],
    ['', { lt: '2026-01-05' }, berlin, false],
    [['1', '20'], { gt: 10 }, { type: 'number' }, true],
    ['TRUE', true, { type: 'boolean' }, true],
  ])('%j matches the filter %j as %j: %s', (value, filter, field, expected) => {
    expect(matchesFilter(value, filter, compareAsDeclared(field))).toBe(expected)
  })
})

describe('detectSchemaChanges', () => {
  const [text, number, numberText] = [1, 2, 4]
  it('lists added, changed and removed fields and counts type mismatches', () => {
    const before: StoredFields = [
      ['kept', numberText],
      ['alike', numberText],
      ['changed', numberText],
      ['gone', text],
    ]
    const after: StoredFields = [
      ['kept', numberText],
      ['alike', number],
      ['changed', numberText | text],
      ['new', text],
    ]
    const seen = createSchemaObserver({ fields: { changed: { type: 'number' } } })
    for (const changed of ['1', 'many', '', 'x', true]) seen.observe({ changed })
    expect(
      detectSchemaChanges(
        before,
        after,
        { fields: { changed: { type: 'number' } } },
        Object.fromEntries(seen.typeMismatches),
      ),
    ).toEqual([
      { field: 'changed', change: 'not_as_declared', from: 'number', to: 'mixed', count: 3 },
      { field: 'changed', change: 'type_changed', from: 'number', to: 'string' },
      { field: 'new', change: 'added', from: null, to: 'string' },
      { field: 'gone', change: 'removed', from: 'string', to: null },
    ])
    expect(detectSchemaChanges([], after, {}, {})).toEqual([])
  })
})

describe('a source with declared fields', () => {
  let service: DataService
  beforeAll(async () => {
    service = await startDataService()
  })
  afterAll(() => service.stop())

  const config = {
    key: 'id',
    timestamp_field: 'at',
    fields: {
      at: { type: 'timestamp', timezone: 'Europe/Berlin' },
      people: { type: 'number' },
      code: { type: 'string' },
      later: { type: 'boolean' },
    },
  }
  const rows = [
    { id: 'a', title: 'room', at: '2026-01-05 09:00', people: '3', code: '007' },
    { id: 'b', title: 'room', at: '2026-01-05T09:00:00Z', people: 'many', code: '7' },
    { id: 'c', title: 'room', at: 'soon', people: 12, code: 8 },
  ]

  /** Declares the fields of records that are stored already. */
  async function declareLater(id: string, workspace?: SearchWorkspace): Promise<string> {
    const caller = workspace === undefined ? {} : { workspaceId: workspace.workspaceId }
    const { status } = await service.request('PATCH', `/v1/data/sources/${id}`, { body: { config }, caller })
    expect(status).toBe(200)
    return id
  }

  it('shows declared and inferred types, and occurred_at of records', async () => {
    const workspace = createSearchWorkspace(service)
    const id = await declareLater(await workspace.createSource(rows, { key: 'id' }), workspace)
    const { schema } = (await workspace.request('GET', `/v1/data/sources/${id}`)).body.data
    expect(schema).toEqual([
      { name: 'id', type: 'string' },
      { name: 'title', type: 'string' },
      { name: 'at', type: 'timestamp', declared: 'timestamp', inferred: 'string' },
      { name: 'people', type: 'number', declared: 'number', inferred: 'mixed' },
      { name: 'code', type: 'string', declared: 'string', inferred: 'mixed' },
      { name: 'later', type: 'boolean', declared: 'boolean', inferred: null },
    ])
    const { data } = (await workspace.request('GET', `/v1/data/sources/${id}/records`)).body
    const times = data.map(({ key, occurred_at: at }: { key: string; occurred_at: string | null }) => [key, at])
    expect(Object.fromEntries(times)).toEqual({
      a: '2026-01-05T08:00:00.000Z',
      b: '2026-01-05T09:00:00.000Z',
      c: null,
    })
    const { record_id: record } = data.find(({ key }: { key: string }) => key === 'a')
    const shown = (await workspace.request('GET', `/v1/data/records/${record}`)).body.data
    expect(shown).toMatchObject({ key: 'a', occurred_at: '2026-01-05T08:00:00.000Z' })
  })

  it('is filtered by the declared types', async () => {
    const workspace = createSearchWorkspace(service)
    const titled = rows.map((row) => ({ ...row, title: `room ${row.id}` }))
    await declareLater(await workspace.createSource(titled, { key: 'id' }), workspace)
    const found = async (filters: object) => (await workspace.searchTitles('room', { filters })).toSorted()
    expect(await found({ at: { lt: '2026-01-05T08:30:00Z' } })).toEqual(['room a'])
    expect(await found({ at: { gte: '2026-01-05 10:00' } })).toEqual(['room b'])
    expect(await found({ people: { gt: '10' } })).toEqual(['room c'])
    expect(await found({ code: { lt: '1' } })).toEqual(['room a'])
    expect(await found({ people: 'many' })).toEqual(['room b'])
  })

  it('returns values to other services in the declared types', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await service.upload(id, 'application/json', JSON.stringify(rows))
    await declareLater(id)
    const path = `/internal/data/sources/${id}/rows?fields=id,at,people,code`
    const { body } = await service.request('GET', path, { signer: 'solutions' })
    expect(body.rows).toEqual([
      ['a', '2026-01-05T08:00:00.000Z', 3, '007'],
      ['b', '2026-01-05T09:00:00.000Z', 'many', '7'],
      ['c', 'soon', 12, '8'],
    ])
  })

  it('refuses the row of a value that contradicts its declared type, with column and value', async () => {
    const id = await declareLater(await service.createSource({ config: { key: 'id' } }))
    const sent = [
      { id: 'd', at: '2026-01-05', people: 1 },
      { id: 'e', people: 'few' },
      { id: 'f', people: 2 },
      { id: 'g', people: 3, floor: 1 },
    ]
    const { body } = await service.upload(id, 'application/json', JSON.stringify(sent))
    expect(body.data).toMatchObject({
      counts: { created: 3, failed: 1 },
      bad_rows: [{ column: 'people', value: 'few', reason: expect.stringContaining('number') }],
    })
  })
})
