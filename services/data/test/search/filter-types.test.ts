import { afterAll, describe, expect, it } from '@jest/globals'
import { createSearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const desks = [
  { id: '1', fte: '9', people: 9, floor: 'north', at: '2026-01-05T09:00:00Z', free: 'true', mixed: 'x', tags: ['a'] },
  { id: '2', fte: '10', people: 10, floor: 'south', at: '2026-01-06T09:00:00Z', free: 'false', mixed: 7, tags: ['b'] },
]

describe('a filter', () => {
  it('on a field that no searched source has answers with a warning and the nearest name', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    const first = await createSource(desks)
    await createSource([{ id: '1', title: 'Desk', seats: 4 }])
    const warningsOf = async (body: object) => (await search({ filters: {}, ...body })).meta.warnings
    expect(await warningsOf({ filters: { seats: 4, people: 9 } })).toEqual([])
    for (const body of [{ filters: { flor: 'x' } }, { facets: ['flor'] }, { sort: '-flor' }])
      expect(await warningsOf(body)).toEqual([
        { code: 'unknown_field', message: 'No searched data source has the field "flor"; did you mean "floor"?' },
      ])
    expect(await warningsOf({ filters: { seats: 4 }, data_source_ids: [first] })).toMatchObject([
      { code: 'unknown_field' },
    ])
    expect(await warningsOf({ query: 'north ', filters: { zzz: { exists: false } } })).toEqual([
      { code: 'unknown_field', message: 'No searched data source has the field "zzz"' },
    ])
  })

  it('with a bound of another type than the field is rejected, with the type', async () => {
    const { createSource, request } = createSearchWorkspace(service)
    await createSource(desks)
    const number = 'must be a number: the field has the type number'
    const timestamp = 'must be a timestamp such as 2026-01-05T09:00:00Z: the field has the type timestamp'
    for (const [filters, pointer, detail] of [
      [{ fte: { lt: 'abc' } }, '/filters/fte/lt', number],
      [{ people: { gte: 'abc', lt: 5 } }, '/filters/people/gte', number],
      [{ at: { gt: 'soon' } }, '/filters/at/gt', timestamp],
      [{ at: { gt: 5 } }, '/filters/at/gt', timestamp],
      [{ floor: { lte: 5 } }, '/filters/floor/lte', 'must be text: the field has the type string'],
      [{ free: { lt: 5 } }, '/filters/free/lt', 'is a bound, but the field has the type boolean, which has no order'],
    ] as const)
      for (const query of [undefined, 'north ']) {
        const response = await request('POST', '/v1/data/search', { query, filters })
        expect([response.status, response.body.errors]).toEqual([400, [{ pointer, detail }]])
      }
  })

  it('compares text of a number field as numbers, and any type in a field of several', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource(desks)
    const keysOf = async (filters: object) =>
      (await search({ filters })).data.map(({ key }: { key: string }) => key).toSorted()
    expect(await keysOf({ fte: { lt: '10' } })).toEqual(['1'])
    expect(await keysOf({ fte: { gte: 9.5 } })).toEqual(['2'])
    expect(await keysOf({ mixed: { gt: 5 } })).toEqual(['2'])
    expect(await keysOf({ mixed: { gt: 'a' } })).toEqual(['1'])
    expect(await keysOf({ tags: { gt: 'a' } })).toEqual(['2'])
    expect(await keysOf({ free: true })).toEqual(['1'])
  })

  it('for a value of another type than the field answers with a warning', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource(desks)
    const message = 'The field "people" has the type number; no record has the value "abc"'
    for (const people of ['abc', { in: [9, 'abc'] }, { not: 'abc' }])
      expect((await search({ filters: { people } })).meta.warnings).toEqual([{ code: 'type_mismatch', message }])
    expect((await search({ filters: { floor: 5 } })).meta.warnings).toMatchObject([{ code: 'type_mismatch' }])
    expect((await search({ filters: { people: '9', mixed: { not: true } } })).meta).toMatchObject({
      total: 1,
      warnings: [],
    })
  })

  it('takes a bound of the type that any searched source has', async () => {
    const { createSource, search } = createSearchWorkspace(service)
    await createSource(desks)
    await createSource([{ id: '3', people: 'many' }])
    expect((await search({ filters: { people: { gt: 'a' } } })).data).toMatchObject([{ key: '3' }])
    expect((await search({ filters: { people: { gt: 9 } } })).data).toMatchObject([{ key: '2' }])
  })
})
