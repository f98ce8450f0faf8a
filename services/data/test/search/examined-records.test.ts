import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSearchWorkspace, type SearchWorkspace } from '../support/search-workspace.ts'
import { type DataService, startDataService } from '../support/service.ts'

// Multiples of 1,000, because matches of a query are read in batches of as many.
const searchLimits = { maxExaminedRecords: 2_000, maxFacetRecords: 1_000 }
const [oldRows, newRows] = [500, 2_000]

let service: DataService
let workspace: SearchWorkspace
beforeAll(async () => {
  service = await startDataService({}, { searchLimits })
  workspace = createSearchWorkspace(service)
  const rows = Array.from({ length: oldRows + newRows }, (_, nth) => ({
    id: `r${nth}`,
    text: 'oak',
    rank: nth,
    age: nth < oldRows ? 'old' : 'new',
  }))
  const id = await workspace.createSource(rows.slice(0, oldRows), { text_field: 'text' })
  await workspace.upload(id, rows.slice(oldRows))
})
afterAll(() => service?.stop())

const countsOf = (facet: { count: number }[]) => facet.reduce((sum, { count }) => sum + count, 0)

describe('a search that examines the maximum number of records', () => {
  it('ends its page without a query, says so, and continues after them', async () => {
    const filters = { age: 'old' }
    const first = await workspace.search({ filters, limit: 100 })
    expect([first.data, first.meta]).toMatchObject([[], { warnings: [{ code: 'filters_on_newest' }] }])
    expect(first.meta.warnings[0].message).toContain('the next 2000 records')
    expect(first.meta).not.toHaveProperty('total')
    const second = await workspace.search({ filters, limit: 100, cursor: first.pagination.next_cursor })
    expect(second.data).toHaveLength(100)
    expect(second.meta.warnings).toEqual([])
  })

  it('orders only the newest records, and says so', async () => {
    const { data, meta } = await workspace.search({ filters: {}, sort: 'rank', limit: 1 })
    expect(data).toMatchObject([{ key: `r${oldRows}` }])
    expect(meta).toMatchObject({ total: oldRows + newRows, warnings: [{ code: 'sorted_newest' }] })
    expect(meta.warnings[0].message).toContain('Only the 2000 newest records')
  })

  it('counts the facets of fewer records, and says so', async () => {
    const { meta } = await workspace.search({ filters: {}, facets: ['age'], limit: 1 })
    expect(meta.facets.age).toEqual([{ value: 'new', count: 1_000 }])
    const message = 'Facets count only the 1000 newest records'
    expect(meta.warnings).toEqual([{ code: 'facets_of_newest', message }])
  })

  it('filters only the best matches of a query, and says so', async () => {
    const { data, meta } = await workspace.search({ query: 'oak ', filters: { age: 'none' } })
    const message = 'Filters were applied only to the 2000 best matches'
    expect([data, meta.warnings]).toEqual([[], [{ code: 'filters_on_best', message }]])
    expect(meta).not.toHaveProperty('total')
  })

  it('says so on the second page of facets, too', async () => {
    const body = { query: 'oak ', facets: ['age'], limit: 1 }
    const { pagination } = await workspace.search(body)
    const { data, meta } = await workspace.search({ ...body, cursor: pagination.next_cursor })
    expect([data.length, countsOf(meta.facets.age)]).toEqual([1, 1_000])
    expect(meta.warnings).toMatchObject([{ code: 'facets_of_best' }])
  })

  it('counts the facets of the best matches of a query, and says so', async () => {
    const { meta } = await workspace.search({ query: 'oak ', facets: ['age'], limit: 1 })
    expect(countsOf(meta.facets.age)).toBe(1_000)
    const message = 'Facets count only the 1000 best matches'
    expect(meta.warnings).toEqual([{ code: 'facets_of_best', message }])
  })
})
