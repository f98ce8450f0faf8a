import { describe, expect, it } from '@jest/globals'
import { noShowRows } from '../../src/utilization/no-shows.ts'

type Sum = Parameters<typeof noShowRows>[0][number]

const sum = (spaceId: string, weekday: number, booked: number, more: Partial<Sum> = {}): Sum => ({
  ...{ spaceId, weekday, booked, used: booked, released: 0, noShows: 0, unknown: 0, minutesLost: 0 },
  ...more,
})

/** Returns the weekdays of the rows that are withheld. */
const hiddenOf = (...sums: Sum[]) =>
  noShowRows(sums, ['spc_a'], 5)
    .filter(({ suppressed }) => suppressed)
    .map(({ weekday }) => weekday)

describe('noShowRows', () => {
  it('has the share of no-shows of the bookings of which it is known', () => {
    const sums = [sum('spc_a', 1, 20, { used: 9, noShows: 3, unknown: 8, released: 2, minutesLost: 190 })]
    // 3 of 12; 190 minutes are 3.17 hours.
    expect(noShowRows(sums, ['spc_a'], 5)).toEqual([
      {
        ...{ space_id: 'spc_a', weekday: 'mon', booked: 20, used: 9, released: 2, no_shows: 3, share: 0.25 },
        ...{ hours_lost: 3.2, suppressed: false },
      },
    ])
    const unknown = noShowRows([sum('spc_a', 7, 20, { used: 0, unknown: 20 })], ['spc_a'], 5)
    expect(unknown).toMatchObject([{ weekday: 'sun', share: null, no_shows: 0 }])
  })

  it('has the rows in the order of the spaces that were asked for', () => {
    const rows = noShowRows(
      [sum('spc_b', 1, 9), sum('spc_a', 2, 9), sum('spc_b', 3, 9)],
      ['spc_a', 'spc_b', 'spc_c'],
      5,
    )
    expect(rows.map(({ space_id, weekday }) => [space_id, weekday])).toEqual([
      ['spc_a', 'tue'],
      ['spc_b', 'mon'],
      ['spc_b', 'wed'],
    ])
  })

  it('withholds a small row and the next smaller one with it', () => {
    expect(hiddenOf(sum('spc_a', 1, 3), sum('spc_a', 2, 20), sum('spc_a', 3, 10))).toEqual(['mon', 'wed'])
    // Two of 4 hide each other; two of 1 and 2 would tell of 3.
    expect(hiddenOf(sum('spc_a', 1, 4), sum('spc_a', 2, 4), sum('spc_a', 3, 10))).toEqual(['mon', 'tue'])
    expect(hiddenOf(sum('spc_a', 1, 1), sum('spc_a', 2, 2), sum('spc_a', 3, 10))).toEqual(['mon', 'tue', 'wed'])
  })

  it('counts released bookings as bookings, and shows rows without any', () => {
    expect(hiddenOf(sum('spc_a', 1, 2, { released: 3 }), sum('spc_a', 2, 20))).toEqual([])
    expect(hiddenOf(sum('spc_a', 1, 0), sum('spc_a', 2, 20))).toEqual([])
  })

  it('tells nothing in a withheld row', () => {
    const [row] = noShowRows([sum('spc_a', 1, 1, { minutesLost: 60, noShows: 1 })], ['spc_a'], 5)
    const { space_id: _, weekday: __, suppressed, ...figures } = row ?? { suppressed: false }
    expect(suppressed).toBe(true)
    expect(Object.values(figures).every((value) => value === null)).toBe(true)
  })
})
