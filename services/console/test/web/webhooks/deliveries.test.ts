import { describe, expect, it } from '@jest/globals'
import { stagesOf } from '../../../web/src/webhooks/attempts/attempt-stages.ts'
import { mergeTail } from '../../../web/src/webhooks/deliveries/merge-tail.ts'
import { addCounts, formatBounded } from '../../../web/src/webhooks/shared/replay-range.ts'

describe('mergeTail', () => {
  const keyOf = ({ id }: { id: number }) => id.toString()
  const rows = [
    { id: 2, status: 'pending' },
    { id: 1, status: 'delivered' },
  ]
  const newest = [
    { id: 3, status: 'pending' },
    { id: 2, status: 'delivered' },
  ]

  it('shows new rows above the others and updates known ones', () => {
    expect(mergeTail({ rows, held: [] }, newest, keyOf, false)).toEqual({
      rows: [newest[0], newest[1], rows[1]],
      held: [],
    })
  })

  it('holds new rows while the list is read, and shows them when they are asked for', () => {
    const holding = mergeTail({ rows, held: [] }, newest, keyOf, true)
    expect(holding).toEqual({ rows: [newest[1], rows[1]], held: [newest[0]] })
    expect(mergeTail(holding, newest, keyOf, true)).toEqual(holding)
    expect(mergeTail(holding, [], keyOf, false)).toEqual({ rows: [newest[0], newest[1], rows[1]], held: [] })
  })

  it('shows the first rows of a list also while it holds', () => {
    expect(mergeTail({ rows: [], held: [] }, newest, keyOf, true).rows).toEqual(newest)
  })
})

describe('stagesOf', () => {
  it('leaves out stages without a duration and adds the rest of the time', () => {
    expect(stagesOf({ dns_ms: null, connect_ms: 10, tls_ms: null, first_byte_ms: 60, total_ms: 100 })).toEqual([
      { name: 'connect', ms: 10, share: 0.1 },
      { name: 'first byte', ms: 60, share: 0.6 },
      { name: 'rest', ms: 30, share: 0.3 },
    ])
  })

  it('has shares that add up to one when the stages took longer than the total', () => {
    const stages = stagesOf({ dns_ms: 5, connect_ms: 5, tls_ms: null, first_byte_ms: null, total_ms: 9.9 })
    expect(stages.map(({ share }) => share)).toEqual([0.5, 0.5])
  })
})

it('counts are a lower bound when one part is', () => {
  const sum = addCounts([
    { count: 10_000, is_lower_bound: true },
    { count: 4, is_lower_bound: false },
  ])
  expect(formatBounded(sum)).toBe('10,004 or more')
})
