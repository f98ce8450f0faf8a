import { describe, expect, it } from '@jest/globals'
import { fillDays, summarizeDays } from '../../../../web/src/developer/requests/usage-days.ts'

const now = new Date('2026-03-02T10:00:00Z')
const known = [
  { date: '2026-03-02', requests: 5, client_errors: 1, server_errors: 0 },
  { date: '2026-02-28', requests: 3, client_errors: 0, server_errors: 2 },
  { date: '2026-01-01', requests: 9, client_errors: 9, server_errors: 9 },
]

describe('the days of a usage chart', () => {
  it('end today in UTC, without gaps, and leave out older ones', () => {
    const days = fillDays(known, 3, now)
    expect(days.map(({ date, requests }) => [date, requests])).toEqual([
      ['2026-02-28', 3],
      ['2026-03-01', 0],
      ['2026-03-02', 5],
    ])
    expect(summarizeDays(days)).toEqual({ total: 8, today: 5, refused: 1, failed: 2 })
  })
})
