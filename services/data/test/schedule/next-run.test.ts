import { describe, expect, it } from '@jest/globals'
import type { Schedule } from '@wp/contracts'
import { nextRun, validateSchedule } from '../../src/schedule/next-run.ts'

const at = (time: string) => new Date(time)
const cron = (expression: string, timezone = 'UTC'): Schedule => ({ type: 'cron', expression, timezone })

function runs(schedule: Schedule, from: string, count: number): string[] {
  const times: string[] = []
  for (let now = at(from); times.length < count; ) {
    const next = nextRun(schedule, now)
    if (next === null) break
    times.push(next.toISOString().slice(0, 16))
    now = next
  }
  return times
}

describe('a cron schedule', () => {
  /** Expected times were derived by hand from the rules of each zone. */
  const table: [what: string, schedule: Schedule, from: string, expected: string[]][] = [
    [
      'runs a skipped time when the gap ends',
      cron('30 2 * * *', 'Europe/Berlin'),
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'runs a skipped time of a list when the gap ends',
      cron('30 2,14 * * *', 'Europe/Berlin'),
      '2026-03-28T20:00:00Z',
      ['2026-03-29T01:00', '2026-03-29T12:30', '2026-03-30T00:30'],
    ],
    [
      'runs a time that occurs twice once',
      cron('30 2 * * *', 'Europe/Berlin'),
      '2026-10-24T00:00:00Z',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'runs a time that occurs twice once in New York',
      cron('30 1 * * *', 'America/New_York'),
      '2026-10-31T00:00:00Z',
      ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'runs a skipped midnight when the gap ends',
      cron('0 0 * * *', 'America/Santiago'),
      '2026-09-05T00:00:00Z',
      ['2026-09-05T04:00', '2026-09-06T04:00', '2026-09-07T03:00'],
    ],
    [
      'runs a time skipped by half an hour when the gap ends',
      cron('15 2 * * *', 'Australia/Lord_Howe'),
      '2026-10-02T00:00:00Z',
      ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'keeps its half-hour distance through an hour that occurs twice',
      cron('*/30 * * * *', 'Europe/Berlin'),
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'runs when either day field matches',
      cron('0 9 1 * mon'),
      '2026-10-24T00:00:00Z',
      ['2026-10-26T09:00', '2026-11-01T09:00', '2026-11-02T09:00'],
    ],
    ['runs on leap days', cron('0 0 29 2 *'), '2026-01-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ]
  it.each(table)('%s', (_what, schedule, from, expected) => {
    expect(runs(schedule, from, expected.length)).toEqual(expected)
  })

  it.each([
    ['* * * * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['2026-12-24T00:00:00', 'five fields'],
    ['* * *', 'five fields'],
    ['60 * * * *', 'minute'],
    ['a b c d e', 'must be five fields: minute (0 to 59)'],
    ['*/0 * * * *', 'must be five fields: minute (0 to 59)'],
    ['0 0 31 2 *', 'never matches a date'],
  ])('%s is rejected with the reason', (expression, reason) => {
    const refuse = () => validateSchedule(cron(expression), at('2026-11-20T00:00:00Z'))
    expect(refuse).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ pointer: '/schedule/expression', detail: expect.stringContaining(reason) }],
      }),
    )
  })
})

describe('an interval schedule', () => {
  const hourly: Schedule = { type: 'interval', interval_seconds: 3600 }
  it.each([
    ['is first due after one interval', undefined, '2026-11-20T12:34:56.000Z', '2026-11-20T13:34:56.000Z'],
    [
      'keeps its distance when a run is late',
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T12:00:03.000Z',
      '2026-11-20T13:00:00.000Z',
    ],
    [
      'runs once for all missed runs',
      '2026-11-20T12:00:00.000Z',
      '2026-11-22T07:10:00.000Z',
      '2026-11-22T08:00:00.000Z',
    ],
    [
      'is never due at the current time',
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
      '2026-11-20T14:00:00.000Z',
    ],
  ])('%s', (_what, due, now, expected) => {
    expect(nextRun(hourly, at(now), due === undefined ? undefined : at(due))?.toISOString()).toBe(expected)
  })
})

it('a manual schedule is never due', () => {
  expect(nextRun({ type: 'manual' }, new Date())).toBeNull()
})
