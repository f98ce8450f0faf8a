import { describe, expect, it } from '@jest/globals'
import { nextDigestAt, quietUntil } from '../../src/settings/plan-delivery.ts'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
const night = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' }

describe('quiet hours', () => {
  it.each([
    // rule, hours, time, end
    ['have not begun', night, '2026-01-05T20:59:00Z', undefined],
    ['begin at their start', night, '2026-01-05T21:00:00Z', '2026-01-06T06:00:00.000Z'],
    ['continue after midnight', night, '2026-01-06T03:00:00Z', '2026-01-06T06:00:00.000Z'],
    ['have ended at their end', night, '2026-01-06T06:00:00Z', undefined],
    [
      'lie within a day',
      { start: '12:00', end: '13:30', timezone: 'UTC' },
      '2026-01-05T12:10:00Z',
      '2026-01-05T13:30:00.000Z',
    ],
    ['are over within a day', { start: '12:00', end: '13:30', timezone: 'UTC' }, '2026-01-05T14:00:00Z', undefined],
    // Berlin: 2026-03-29 from 02:00 to 03:00; 2026-10-25 from 03:00 back to 02:00.
    ['are an hour shorter when clocks go forward', night, '2026-03-28T23:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['are an hour longer when clocks go back', night, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
    [
      'end after the gap when their end is skipped',
      { ...night, end: '02:30' },
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'end at the second of two equal ends',
      { ...night, end: '02:30' },
      '2026-10-25T00:45:00Z',
      '2026-10-25T01:30:00.000Z',
    ],
    [
      'begin at the first of two equal starts',
      { ...night, start: '02:30' },
      '2026-10-25T00:45:00Z',
      '2026-10-25T06:00:00.000Z',
    ],
    [
      'follow zones of half hours',
      { start: '22:00', end: '07:00', timezone: 'Asia/Kolkata' },
      '2026-01-05T17:00:00Z',
      '2026-01-06T01:30:00.000Z',
    ],
  ])('%s', (_rule, hours, at, until) => {
    expect(iso(quietUntil(Date.parse(at), hours))).toBe(until)
  })
})

describe('the next digest', () => {
  const daily = { frequency: 'daily', at: '08:00', timezone: 'Europe/Berlin' } as const
  it.each([
    ['there is none when digests are off', { ...daily, frequency: 'off' } as const, '2026-01-05T05:00:00Z', undefined],
    ['it is today before its time', daily, '2026-01-05T05:00:00Z', '2026-01-05T07:00:00.000Z'],
    ['it is tomorrow at its time', daily, '2026-01-05T07:00:00Z', '2026-01-06T07:00:00.000Z'],
    ['it follows the clocks when they go forward', daily, '2026-03-28T08:00:00Z', '2026-03-29T06:00:00.000Z'],
    [
      'it comes after the gap when its time is skipped',
      { ...daily, at: '02:30' },
      '2026-03-28T08:00:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'it is the first of two equal times, once',
      { ...daily, at: '02:30' },
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00.000Z',
    ],
    [
      'it is on Monday when weekly',
      { ...daily, frequency: 'weekly' } as const,
      '2026-01-06T05:00:00Z',
      '2026-01-12T07:00:00.000Z',
    ],
    [
      'it is in a week after a Monday',
      { ...daily, frequency: 'weekly' } as const,
      '2026-01-05T07:00:00Z',
      '2026-01-12T07:00:00.000Z',
    ],
    [
      'it uses the zone of the user without its own',
      { ...daily, timezone: null },
      '2026-01-05T00:00:00Z',
      '2026-01-05T13:00:00.000Z',
    ],
  ])('%s', (_rule, digest, at, due) => {
    expect(iso(nextDigestAt(Date.parse(at), digest, 'America/New_York'))).toBe(due)
  })
})
