import { describe, expect, it } from '@jest/globals'
import { checkRecords, type HeldRecord, isComplete } from '../src/destinations/check-records.ts'
import { planKills } from '../src/destinations/kills.ts'
import { createRandom } from '../src/random.ts'

const held = (...records: [seq: number, mark: string][]): HeldRecord[] => records.map(([seq, mark]) => ({ seq, mark }))
const published = new Set(['a', 'b', 'c'])
const good = { records: 3, gaps: 0, lost: 0, outOfOrder: 0, repeated: 0, contradictions: 0 }

describe('checkRecords', () => {
  it('accepts every record in order, and counts those that were repeated after a kill', () => {
    const records = held([5, 'a'], [6, 'b'], [5, 'a'], [6, 'b'], [7, 'c'])
    expect(checkRecords(records, 4, published)).toEqual({ ...good, repeated: 2 })
    expect(isComplete(checkRecords(records, 4, published))).toBe(true)
  })

  it.each([
    ['a gap', held([5, 'a'], [7, 'c'], [8, 'b']), { gaps: 1 }],
    ['a missing first record', held([6, 'a'], [7, 'b'], [8, 'c']), { gaps: 1 }],
    ['a record that was lost', held([5, 'a'], [6, 'b']), { records: 2, lost: 1 }],
    ['records out of order', held([5, 'a'], [7, 'c'], [6, 'b']), { outOfOrder: 1 }],
    ['two records at one position', held([5, 'a'], [6, 'b'], [6, 'x'], [7, 'c']), { repeated: 1, contradictions: 1 }],
  ])('reports %s', (_, records, expected) => {
    const checked = checkRecords(records, 4, published)
    expect(checked).toEqual({ ...good, ...expected })
    expect(isComplete(checked)).toBe(false)
  })
})

describe('planKills', () => {
  it('kills each target as often, in an order that the seed decides', () => {
    const plan = planKills(2, createRandom(7))
    expect(plan).toHaveLength(12)
    expect(new Set(plan.slice(0, 6)).size).toBe(6)
    expect(planKills(2, createRandom(7))).toEqual(plan)
    expect(planKills(2, createRandom(8))).not.toEqual(plan)
  })
})
