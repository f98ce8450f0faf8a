import { describe, expect, it } from '@jest/globals'
import { readTable } from '../read-table.ts'
import { calendarOf, meeting } from './write-calendar.ts'

/** Reads on 5 January 2026. */
const read = (text: string) => readTable(text, { contentType: 'text/calendar' })
const starts = async (text: string) => (await read(text)).values.map(({ start }) => String(start))

describe('calendar series', () => {
  it('keep the local time over a change of clocks', async () => {
    expect(
      await starts(calendarOf(['UID:a', 'DTSTART;TZID=Europe/Berlin:20260327T090000', 'RRULE:FREQ=DAILY;COUNT=4'])),
    ).toEqual([
      '2026-03-27T09:00:00+01:00',
      '2026-03-28T09:00:00+01:00',
      '2026-03-29T09:00:00+02:00',
      '2026-03-30T09:00:00+02:00',
    ])
  })

  it('take the first of a repeated hour, and the offset before a skipped one', async () => {
    expect(
      await starts(
        calendarOf(
          ['UID:a', 'DTSTART;TZID=Europe/Berlin:20261025T023000'],
          ['UID:b', 'DTSTART;TZID=Europe/Berlin:20260329T023000'],
        ),
      ),
    ).toEqual(['2026-10-25T02:30:00+02:00', '2026-03-29T03:30:00+02:00'])
  })

  it('leave out excluded times, add others, and end with UNTIL in UTC', async () => {
    const lines = ['RRULE:FREQ=WEEKLY;UNTIL=20260126T080000Z', 'EXDATE:20260112T080000Z']
    expect(await starts(calendarOf(meeting(...lines, 'RDATE;TZID=Europe/Berlin:20260107T110000')))).toEqual([
      '2026-01-05T09:00:00+01:00',
      '2026-01-19T09:00:00+01:00',
      '2026-01-26T09:00:00+01:00',
      '2026-01-07T11:00:00+01:00',
    ])
  })

  it('have one key for an occurrence, also when it is moved or cancelled', async () => {
    const series = meeting('RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:S')
    const moved = [
      ...['UID:m1@example.test', 'RECURRENCE-ID:20260106T080000Z', 'DTSTART;TZID=Europe/Berlin:20260106T140000'],
      ...['DURATION:PT2H', 'SUMMARY:Moved'],
    ]
    const cancelled = ['UID:m1@example.test', 'RECURRENCE-ID;TZID=Europe/Berlin:20260107T090000', 'STATUS:CANCELLED']
    const before = await read(calendarOf(series))
    const after = await read(calendarOf(moved, cancelled, series))
    const keys = ({ rows }: typeof before) => rows.map((row) => ('key' in row ? row.key : undefined))
    expect(keys(before)).toEqual([
      'm1@example.test/2026-01-05T08:00:00Z',
      'm1@example.test/2026-01-06T08:00:00Z',
      'm1@example.test/2026-01-07T08:00:00Z',
    ])
    expect(keys(after)).toEqual(keys(before))
    expect(after.values).toMatchObject([
      { start: '2026-01-05T09:00:00+01:00', recurrence_id: '2026-01-05T09:00:00+01:00' },
      { start: '2026-01-06T14:00:00+01:00', end: '2026-01-06T16:00:00+01:00', summary: 'Moved' },
      { start: '2026-01-07T09:00:00+01:00', status: 'cancelled', summary: 'S' },
    ])
  })

  it('are cancelled as a whole by a message without their rule', async () => {
    const { values } = await read(
      calendarOf(meeting('RRULE:FREQ=DAILY;COUNT=2')) + calendarOf(['METHOD:CANCEL'], meeting('SEQUENCE:1')),
    )
    expect(values.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })

  it('keep changes of each other and of times outside the rule', async () => {
    const change = (id: string, start: string) => ['UID:a', `RECURRENCE-ID:${id}`, `DTSTART:${start}`]
    expect(
      await starts(
        calendarOf(
          ['UID:a', 'DTSTART:20260105T090000', 'RRULE:FREQ=DAILY;COUNT=2'],
          change('20260105T090000', '20260106T090000'),
          change('20260106T090000', '20260105T090000'),
          change('20260301T090000', '20260302T090000'),
        ),
      ),
    ).toEqual(['2026-01-06T09:00:00', '2026-01-05T09:00:00', '2026-03-02T09:00:00'])
  })

  it('without an end go on for two years after the reading', async () => {
    const found = await starts(calendarOf(meeting('RRULE:FREQ=MONTHLY')))
    expect([found.length, found.at(-1)]).toEqual([25, '2028-01-05T09:00:00+01:00'])
  })

  it.each([
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=3', ['2026-01-05', '2026-01-30', '2026-02-27']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', ['2026-01-05', '2026-01-30', '2026-02-27']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO;WKST=SU;COUNT=4', ['2026-01-05', '2026-01-09', '2026-01-19', '2026-01-23']],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=2TU;COUNT=3', ['2026-01-05', '2026-03-10', '2027-03-09']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,15;COUNT=3', ['2026-01-05', '2026-01-15', '2026-01-31']],
    ['freq=daily; Count = 2', ['2026-01-05', '2026-01-06']],
    ['FREQ=DAILY;BYDAY=MO,WE;COUNT=3', ['2026-01-05', '2026-01-07', '2026-01-12']],
  ])('have the days of %s', async (rule, days) => {
    // The start is the first occurrence, also if it is not of the rule.
    expect(await starts(calendarOf(['UID:a', 'DTSTART;VALUE=DATE:20260105', `RRULE:${rule}`]))).toEqual(days)
  })
})
