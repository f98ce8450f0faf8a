import { describe, expect, it } from '@jest/globals'
import { expandRule } from '../../../src/intake/calendar/expand-rule.ts'
import { parseProperty, parseRule } from '../../../src/intake/calendar/parse-property.ts'
import { readTable } from '../read-table.ts'
import { calendarOf, meeting } from './write-calendar.ts'

const read = (content: string | AsyncIterable<Uint8Array>) => readTable(content, { contentType: 'text/calendar' })

async function* repeated(head: string, part: string, count: number, tail: string) {
  yield Buffer.from(head)
  for (let at = 0; at < count; at += 500)
    yield Buffer.from(
      Array.from({ length: Math.min(500, count - at) }, (_, nth) => part.replaceAll('#', `${at + nth}`)).join(''),
    )
  yield Buffer.from(tail)
}

describe('hostile calendars', () => {
  it.each([
    ['FREQ=SECONDLY', /repeats within a day/],
    ['FREQ=MINUTELY;COUNT=2', /repeats within a day/],
    ['FREQ=DAILY;COUNT=2000000000;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16', /more than 10000 occurrences/],
    [`FREQ=DAILY;BYSECOND=${Array.from({ length: 60 }, (_, at) => at)};BYHOUR=1,2,3,4,5`, /times a day/],
    ['FREQ=DAILY;INTERVAL=x', /RRULE/],
    ['FREQ=WEEKLY;BYDAY=1MO', /numbers days of the week/],
  ])('with the rule %s are refused', async (rule, reason) => {
    const { values, refused } = await read(calendarOf(meeting(`RRULE:${rule}`), ['UID:b', 'DTSTART:20260105T090000']))
    expect(values.map(({ uid }) => uid)).toEqual(['b'])
    expect(refused).toEqual([{ line: 3, reason: expect.stringMatching(reason) }])
  })

  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;INTERVAL=48;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;INTERVAL=2000000000',
    'FREQ=DAILY;INTERVAL=999999999999',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=366',
  ])('with the rule %s end after the days of the window', (text) => {
    const { rule } = parseRule(parseProperty(`RRULE:${text}`).values[0])
    const budget = { days: 0 }
    const startMs = Date.UTC(2026, 0, 5)
    const times = [...expandRule(rule, { startMs, endMs: Date.UTC(2028, 0, 5) }, budget)]
    expect(times.filter((time) => time !== undefined && time !== startMs)).toEqual([])
    expect(budget.days).toBeLessThan(1_200)
  })

  it('with a series over thousands of years are refused', async () => {
    const { refused } = await read(calendarOf(['UID:a', 'DTSTART:00010101T090000', 'RRULE:FREQ=YEARLY;BYDAY=5MO']))
    expect(refused).toMatchObject([{ reason: expect.stringMatching(/too many years|occurrences/) }])
  })

  it('with too many days of rules in a file are refused as a whole', async () => {
    const event =
      'BEGIN:VEVENT\nUID:#\nDTSTART:15000101T090000\nRRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n'
    await expect(read(repeated('BEGIN:VCALENDAR\n', event, 120, 'END:VCALENDAR\n'))).rejects.toMatchObject({
      code: 'payload_too_large',
    })
  })

  it('with lines of MiB are read without them', async () => {
    const folded = (name: string) =>
      repeated(
        `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260105T090000\n${name}:`,
        `${'x'.repeat(4_000)}\n `,
        1_000,
        '\nEND:VEVENT\nEND:VCALENDAR\n',
      )
    expect((await read(folded('ATTACH;ENCODING=BASE64;VALUE=BINARY'))).values).toHaveLength(1)
    expect((await read(folded('SUMMARY'))).refused).toEqual([
      { line: 2, reason: 'event: line 5: SUMMARY is longer than 16384 characters' },
    ])
  })

  it('with an event of many attendees, or a time zone of many rules, are refused for it', async () => {
    const attendees = repeated(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260105T090000\n',
      `ATTENDEE;CN=${'x'.repeat(1_000)}:mailto:a@example.test\n`,
      1_100,
      'END:VEVENT\nEND:VCALENDAR\n',
    )
    expect((await read(attendees)).refused).toEqual([{ line: 2, reason: 'event: is larger than 1 MiB' }])
    const observance =
      'BEGIN:STANDARD\nDTSTART:16010101T000000\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\n'
    const zone = repeated(
      'BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Own\n',
      observance,
      1_000,
      'END:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nDTSTART;TZID=Own:20260105T090000\nEND:VEVENT\nEND:VCALENDAR\n',
    )
    expect((await read(zone)).refused).toMatchObject([{ reason: 'event: the time zone "Own" is not known' }])
  })

  it('with components nested deeply are read in one pass', async () => {
    const { values } = await read(
      repeated(
        'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260105T090000\n',
        'BEGIN:X-NESTED\nSUMMARY:no\n',
        100_000,
        `${'END:X-NESTED\n'.repeat(100_000)}LOCATION:L\nEND:VEVENT\nEND:VCALENDAR\n`,
      ),
    )
    expect(values).toMatchObject([{ summary: null, location: 'L' }])
  })

  it('with more events than the limit are refused as a whole', async () => {
    const reading = read(repeated('BEGIN:VCALENDAR\n', 'BEGIN:VEVENT\nEND:VEVENT\n', 200_001, 'END:VCALENDAR\n'))
    await expect(reading).rejects.toMatchObject({ code: 'payload_too_large' })
  })

  it('are refused if they only claim to be calendars', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toMatchObject({ code: 'malformed_body' })
  })
})
