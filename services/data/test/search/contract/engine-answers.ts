import { describe, expect, it } from '@jest/globals'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import type { DataService } from '../../support/service.ts'

/** Values of every kind: numbers, text of numbers, times in several zones, lists, objects, and none. */
const rows = Array.from({ length: 48 }, (_, nth) => ({
  id: `${nth}`,
  title: `Desk ${nth}`,
  note: 'desk',
  n: nth - 10,
  text_number: `${nth / 4}`,
  mixed: [nth, `v${nth % 5}`, nth % 2 === 0, '2026-01-05', null, ''][nth % 6],
  at: `2026-01-${String((nth % 28) + 1).padStart(2, '0')}T${String(nth % 24).padStart(2, '0')}:00:00${nth % 2 ? 'Z' : '+02:00'}`,
  local: `2026-01-${String((nth % 28) + 1).padStart(2, '0')} 23:30`,
  epoch: 1_767_225_600 + nth * 3_600,
  tags: [['a', 'b'], ['b', ['c']], [], [nth], 'b'][nth % 5],
  on: nth % 3 === 0 ? 'TRUE' : nth % 3 === 1 ? false : undefined,
  long: `${'x'.repeat(998 + (nth % 5))}`,
  'odd.name*"(': nth % 4,
  deep: { inner: nth },
}))

const config = {
  title_field: 'title',
  text_field: 'note',
  fields: {
    local: { type: 'timestamp', timezone: 'America/New_York' },
    epoch: { type: 'timestamp' },
    n: { type: 'number' },
  },
}

const filters: readonly Record<string, unknown>[] = [
  { n: 5 },
  { n: '5' },
  { n: { gte: -3, lt: 4 } },
  { n: { lt: -9 } },
  { n: { not: [1, 2, 'x'] } },
  { text_number: { gt: 2.5 } },
  { text_number: '2.5' },
  { text_number: 3 },
  { mixed: 'v2' },
  { mixed: { gt: 5 } },
  { mixed: { gte: 'v2' } },
  { mixed: true },
  { mixed: '12' },
  { mixed: '2026-01-05T00:00:00Z' },
  { mixed: { lte: '2026-02-01' } },
  { mixed: { exists: false } },
  { mixed: { not: 'v2' } },
  { at: { gt: '2026-01-10', lte: '2026-01-20T10:00:00+05:00' } },
  { at: { lte: '2026-01-20' } },
  { at: '2026-01-03T02:00:00+02:00' },
  { local: { gte: '2026-01-05T04:30:00Z', lt: '2026-01-08T04:30:00Z' } },
  { local: { gte: '2026-01-05', lt: '2026-01-08' } },
  { local: '2026-01-05 23:30' },
  { epoch: { gte: '2026-01-01T06:00:00Z' } },
  { epoch: 1_767_225_600 },
  { tags: 'b' },
  { tags: 'c' },
  { tags: { in: ['a', 3] } },
  { tags: { not: ['b'] } },
  { tags: { exists: true } },
  { on: true },
  { on: { not: false } },
  { long: 'x'.repeat(1_000) },
  { long: { gt: 'x'.repeat(700), lt: 'x'.repeat(701) } },
  { 'odd.name*"(': { in: [1, 2] } },
  { deep: { exists: true } },
  { deep: 'inner' },
  { nothing: { not: 1 } },
  { n: { gte: 0 }, tags: 'b', on: true },
]

/**
 * Declares the tests that compare the ranked searches of an engine with PostgreSQL's, which searches without a query.
 */
export function describeEqualAnswers(serviceOf: () => DataService): void {
  describe('a search by words with a filter', () => {
    it('finds the same records as PostgreSQL, and counts the same values', async () => {
      const { createSource, search } = createSearchWorkspace(serviceOf())
      await createSource(rows, config)
      // The same fields, without declarations, and of other types.
      await createSource(
        rows.slice(0, 20).map((row) => ({ ...row, n: `n${row.n}`, on: 'no' })),
        {
          title_field: 'title',
          text_field: 'note',
        },
      )
      const facets = ['mixed', 'tags', 'on', 'odd.name*"(', 'n', 'nothing']
      const answer = async (body: object) => {
        const { data, meta } = await search({ ...body, facets, limit: 100 })
        return {
          keys: data
            .map((hit: { data_source_id: string; key: string }) => `${hit.data_source_id} ${hit.key}`)
            .toSorted(),
          ...meta,
        }
      }
      for (const filter of filters) {
        const found = { filter, ...(await answer({ query: 'desk ', filters: filter })) }
        expect(found).toEqual({ filter, ...(await answer({ filters: filter })) })
      }
      expect(filters).toHaveLength(39)
    })
  })
}
