import { describe, expect, it } from '@jest/globals'
import { noShowRows, unknownUseWarnings } from '../../src/operations/utilization.ts'

type Sums = Parameters<typeof noShowRows>[0][number]

const sums = (spaceId: string, weekday: number, booked: number, more: Partial<Sums> = {}): Sums => ({
  spaceId,
  weekday,
  booked,
  used: booked,
  released: 0,
  noShows: 0,
  unknown: 0,
  minutesLost: 0,
  months: 12,
  monthsShown: 12,
  ...more,
})

describe('noShowRows', () => {
  it('has the share of no-shows of the bookings of which it is known', () => {
    const known = sums('spc_a', 1, 20, { used: 9, noShows: 3, unknown: 8, released: 2, minutesLost: 190 })
    // 3 of 12; 190 minutes are 3.17 hours.
    expect(noShowRows([known], ['spc_a'])).toEqual([
      {
        space_id: 'spc_a',
        weekday: 'mon',
        booked: 20,
        used: 9,
        released: 2,
        no_shows: 3,
        share: 0.25,
        hours_lost: 3.2,
        months: 12,
        months_shown: 12,
        suppressed: false,
      },
    ])
    const unknown = noShowRows([sums('spc_a', 7, 20, { used: 0, unknown: 20 })], ['spc_a'])
    expect(unknown).toMatchObject([
      { weekday: 'sun', booked: 20, used: null, no_shows: null, share: null, hours_lost: null },
    ])
    expect(noShowRows([sums('spc_a', 7, 0)], ['spc_a'])).toMatchObject([{ used: 0, no_shows: 0, share: null }])
  })

  it('has the rows in the order of the spaces that were asked for', () => {
    const rows = noShowRows(
      [sums('spc_b', 1, 9), sums('spc_a', 2, 9), sums('spc_b', 3, 9)],
      ['spc_a', 'spc_b', 'spc_c'],
    )
    expect(rows.map(({ space_id, weekday }) => [space_id, weekday])).toEqual([
      ['spc_a', 'tue'],
      ['spc_b', 'mon'],
      ['spc_b', 'wed'],
    ])
  })

  it('states that months are withheld, and shows the figures of the others', () => {
    const rows = noShowRows([sums('spc_a', 1, 20, { monthsShown: 11 })], ['spc_a'])
    expect(rows).toMatchObject([{ booked: 20, months: 12, months_shown: 11, suppressed: true }])
  })

  it('tells nothing where all months are withheld', () => {
    const [row] = noShowRows([sums('spc_a', 1, 0, { monthsShown: 0 })], ['spc_a'])
    expect(row).toEqual({
      space_id: 'spc_a',
      weekday: 'mon',
      booked: null,
      used: null,
      released: null,
      no_shows: null,
      share: null,
      hours_lost: null,
      months: 12,
      months_shown: 0,
      suppressed: true,
    })
  })
})

describe('unknownUseWarnings', () => {
  it.each([
    [{}, [], 'names no one'],
    [{ person: 'Organizer' }, [], 'no badge events or attendance days'],
    [{ person: 'Organizer' }, ['badge_events' as const], 'name people otherwise'],
    [{ no_show: 'State' }, [], 'whose state says neither'],
  ])('says of bookings with %p why it is not known if they were used', (mapping, kinds, reason) => {
    const others = kinds.map((kind) => ({ kind, name: 'Doors', mapping: {} }))
    const datasets = [...others, { kind: 'bookings' as const, name: 'Rooms', mapping }]
    expect(unknownUseWarnings([{ unknown: 3 }], datasets)).toEqual([
      expect.stringMatching(new RegExp(`the dataset "Rooms" .*${reason}`)),
    ])
    expect(unknownUseWarnings([{ unknown: 0 }], datasets)).toEqual([])
  })

  it('names the datasets that may be the cause, and none that says if bookings were used beside these', () => {
    const dataset = (name: string, mapping: Record<string, string>) => ({ kind: 'bookings' as const, name, mapping })
    const [known, open] = [dataset('A', { checked_in: 'Used' }), dataset('B', {})]
    expect(unknownUseWarnings([{ unknown: 3 }], [known, open])).toEqual([
      expect.stringMatching(/^Of bookings it is not known if they were used: the dataset "B" has no column[^;]*$/),
    ])
    const [both] = unknownUseWarnings([{ unknown: 3 }], [open, dataset('C', {})])
    expect(both).toMatch(/used\. The cause is one or more of these: the dataset "B" .*; the dataset "C" has/)
  })
})
