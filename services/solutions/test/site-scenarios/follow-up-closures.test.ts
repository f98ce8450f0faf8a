import { describe, expect, it } from '@jest/globals'
import { followUpClosures } from '../../src/site-scenarios/follow-up-closures.ts'

const now = new Date('2026-04-10T08:00:00Z')
// Accepted on a Monday.
const follow = (shown: [spaceId: string, day: string, attendance: number][]) =>
  followUpClosures(
    [{ spaceId: 'a', capacity: 40, weekdays: ['fri'] }],
    shown.map(([spaceId, day, attendance]) => ({ spaceId, day, attendance })),
    '2026-03-02',
    now,
  )

describe('the follow-up of floors to close', () => {
  it('sees floors that stayed nearly empty on their weekdays', () => {
    // A Thursday, another floor, and the day of the acceptance do not count.
    const others: [string, string, number][] = [
      ['a', '2026-03-05', 39],
      ['b', '2026-03-06', 39],
      ['a', '2026-03-02', 39],
    ]
    expect(follow([['a', '2026-03-06', 0], ['a', '2026-03-27', 4], ...others])).toEqual({
      status: 'happened',
      checked_at: now.toISOString(),
      figures: { floor_days: 2, floor_days_used: 0, limit: 0.1, highest_share: 0.1 },
    })
  })

  it('sees a floor that was used on one day', () => {
    expect(
      follow([
        ['a', '2026-03-06', 0],
        ['a', '2026-03-13', 5],
      ]),
    ).toMatchObject({ status: 'did_not_happen', figures: { floor_days: 2, floor_days_used: 1, highest_share: 0.125 } })
  })

  it('is unknown without figures in the four weeks', () => {
    expect(
      follow([
        ['a', '2026-02-27', 0],
        ['a', '2026-04-03', 0],
      ]),
    ).toMatchObject({ status: 'unknown', figures: { floor_days: 0 } })
  })
})
