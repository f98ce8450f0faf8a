import { describe, expect, it } from '@jest/globals'
import {
  type CalendarRule,
  type CalendarRun,
  firstRunFrom,
  lastRun,
  nextRun,
} from '../../src/schedules/calendar-runs.ts'
import { addDays, createLocalClock } from '../../src/schedules/local-clock.ts'

const halfHourMs = 1_800_000
const start = Date.parse('2026-10-01T00:00:00Z')
const dayMs = 86_400_000
/** First instant and days of the periods in which the clocks of all zones change once in each direction. */
const periods = [
  [start, 40],
  [Date.parse('2027-03-07T00:00:00Z'), 60],
] as const
/** The gap of Cairo begins at midnight, and that of Nuuk ends then. That of Lord Howe has half an hour. */
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'],
  ...['Africa/Cairo', 'America/Nuuk'],
]
const times = Array.from({ length: 48 }, (_, half) => {
  const hour = String(Math.floor(half / 2)).padStart(2, '0')
  return `${hour}:${half % 2 === 0 ? '00' : '30'}`
})
const daily = (localTime: string, timezone: string): CalendarRule => ({ localTime, timezone, weekdays: null })

/** Reads the wall clock every half hour: `YYYY-MM-DD HH:MM`. Zones with other offsets would need shorter steps. */
function readWallClock(timezone: string, from: number, steps: number): string[] {
  const options = { timeZone: timezone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' } as const
  const format = new Intl.DateTimeFormat('sv-SE', options)
  return Array.from({ length: steps }, (_, step) => format.format(from + step * halfHourMs))
}

/** Returns for each date of the wall clock the first instant at which it shows a time or a later one. */
function expectedRuns(
  wall: readonly string[],
  from: number,
  dates: readonly string[],
  localTime: string,
): CalendarRun[] {
  let step = 0
  return dates.map((date) => {
    const target = `${date} ${localTime}`
    while ((wall[step] ?? '~') < target) step += 1
    return { at: new Date(from + step * halfHourMs), date }
  })
}

describe('the runs of a calendar rule', () => {
  it.each(zones)('are one for each local date, at the first such instant, for every half hour in %s', (timezone) => {
    const clock = createLocalClock(timezone)
    for (const [from, days] of periods) {
      const wall = readWallClock(timezone, from, (days + 4) * 48)
      const dates = [...new Set(wall.map((text) => text.slice(0, 10)))].slice(1, days + 1)
      for (const localTime of times) {
        const rule = daily(localTime, timezone)
        const expected = expectedRuns(wall, from, dates, localTime)
        const found: CalendarRun[] = []
        for (let after = new Date((expected[0]?.at.getTime() ?? 0) - 1); found.length < days; ) {
          const run = nextRun(rule, after, clock)
          found.push(run)
          after = run.at
        }
        expect(found).toEqual(expected)
      }
    }
  })

  it.each(zones)('are found from any instant and any date in %s', (timezone) => {
    const clock = createLocalClock(timezone)
    for (const localTime of ['00:00', '02:00', '02:30', '23:30']) {
      const rule = daily(localTime, timezone)
      for (let at = start; at < start + 30 * dayMs; at += 13 * halfHourMs) {
        const now = new Date(at)
        const last = lastRun(rule, now, clock)
        const next = nextRun(rule, now, clock)
        expect(last.at <= now && now < next.at && addDays(last.date, 1) === next.date).toBe(true)
        expect(firstRunFrom(rule, next.date, clock)).toEqual(next)
        expect(nextRun(rule, last.at, clock)).toEqual(next)
      }
    }
  })

  /** Expected times were derived by hand from the rules of each zone. */
  it.each([
    ['a skipped time at the end of the gap', '02:30', 'Europe/Berlin', '2027-03-28', '2027-03-28T01:00:00Z'],
    ['a time that occurs twice at the first', '02:30', 'Europe/Berlin', '2026-10-25', '2026-10-25T00:30:00Z'],
    ['a skipped midnight at the end of the gap', '00:00', 'Africa/Cairo', '2027-04-30', '2027-04-29T22:00:00Z'],
    ['a skipped midnight in the south', '00:00', 'America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    ['a gap of half an hour at its end', '02:15', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T15:30:00Z'],
    ['a gap before midnight on the next date', '23:30', 'America/Nuuk', '2027-03-27', '2027-03-28T01:00:00Z'],
    ['an offset of 45 minutes', '06:00', 'Asia/Kathmandu', '2026-11-01', '2026-11-01T00:15:00Z'],
  ])('include %s', (_what, localTime, timezone, date, at) => {
    expect(firstRunFrom(daily(localTime, timezone), date)).toEqual({ at: new Date(at), date })
  })

  it('leave out a date that the zone skipped', () => {
    const rule = daily('06:00', 'Pacific/Apia')
    const first = nextRun(rule, new Date('2011-12-29T12:00:00Z'))
    expect([first, nextRun(rule, first.at)].map(({ date }) => date)).toEqual(['2011-12-29', '2011-12-31'])
    expect(nextRun({ ...rule, weekdays: ['fri'] }, first.at).date).toBe('2012-01-06')
    expect(lastRun(rule, new Date('2011-12-30T12:00:00Z')).date).toBe('2011-12-29')
  })

  it('are on the selected weekdays only', () => {
    const rule: CalendarRule = { ...daily('06:00', 'Europe/Berlin'), weekdays: ['mon', 'fri'] }
    const found: string[] = []
    for (let after = new Date('2026-11-27T06:00:00Z'); found.length < 3; ) {
      const { at, date } = nextRun(rule, after)
      found.push(date)
      after = at
    }
    expect(found).toEqual(['2026-11-30', '2026-12-04', '2026-12-07'])
  })

  it.each([{ timezone: 'Mars/Olympus' }, { localTime: '6 o’clock' }, { localTime: '24:00' }, { weekdays: [] }])(
    'cannot be computed for %j',
    (invalid) => {
      expect(() => nextRun({ ...daily('06:00', 'Europe/Berlin'), ...invalid }, new Date(start))).toThrow(RangeError)
    },
  )
})
