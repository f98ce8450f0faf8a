import { describe, expect, it } from '@jest/globals'
import { matchesFilter } from '../../../../src/search/query/filter/field-filter.ts'

describe('matchesFilter', () => {
  it.each<[unknown, Parameters<typeof matchesFilter>[1], boolean]>([
    ['a', 'a', true],
    ['a', 'A', false],
    ['12', 12, true],
    ['12.0', 12, true],
    [12, '12', true],
    ['x', 12, false],
    ['TRUE', true, true],
    [false, true, false],
    [null, 'a', false],
    [undefined, { gte: 0 }, false],
    [5, { gte: 5, lt: 6 }, true],
    ['5', { gt: 5 }, false],
    ['10', { gt: 9 }, true],
    ['b', { gte: 'a', lt: 'c' }, true],
    ['2026-01-05T09:00:00+01:00', { lt: '2026-01-05T08:30:00Z' }, true],
    ['2026-01-05', '2026-01-05T00:00:00Z', true],
    ['2026-01-05 09:00', { gte: '2026-01-05T09:00:00Z' }, true],
    // 30 February is no time, and not 2 March.
    ['2026-02-30', '2026-03-02', false],
    ['2026-03-01', { lt: '2026-02-30' }, false],
    ['2028-02-29', { gte: '2028-02-29T00:00:00Z' }, true],
    [['a', 'b'], { in: ['b', 'c'] }, true],
    [[], 'a', false],
    [{ a: 1 }, 'a', false],
    ['a', { not: 'a' }, false],
    ['b', { not: 'a' }, true],
    ['12.0', { not: [11, 12] }, false],
    [['a', 'b'], { not: 'a' }, false],
    [['b'], { not: ['a', 'c'] }, true],
    [undefined, { not: 'a' }, true],
    [0, { exists: true }, true],
    [[], { exists: true }, true],
    ['', { exists: true }, false],
    [null, { exists: false }, true],
    [false, { exists: false }, false],
  ])('compares the value %j with the filter %j: %s', (value, filter, expected) => {
    expect(matchesFilter(value, filter)).toBe(expected)
  })

  it('reads the first 1,000 members of an array, and of the arrays in it', () => {
    const members = Array.from({ length: 1_001 }, (_, nth) => nth)
    const nested = [members.slice(0, 600), members.slice(600)]
    for (const value of [members, nested]) {
      expect(matchesFilter(value, 999)).toBe(true)
      expect(matchesFilter(value, 1_000)).toBe(false)
    }
  })
})
