import { describe, expect, it } from '@jest/globals'
import { readTable } from '../read-table.ts'
import { calendarOf, meeting } from './write-calendar.ts'

const read = (text: string) => readTable(text, { contentType: 'text/calendar' })

describe('calendar events', () => {
  it('are rows with the columns of a booking', async () => {
    const { values, format, rows } = await read(
      calendarOf(
        meeting(
          'SUMMARY:Plan\\, part 1',
          'LOCATION:Floor 2',
          'ORGANIZER;CN=A. Example:mailto:a@example.test',
          'ATTENDEE;CN=A:mailto:a@example.test',
          'ATTENDEE;PARTSTAT=DECLINED:mailto:b@example.test',
          'ATTENDEE;CUTYPE=ROOM;CN="Room 2.01":mailto:r201@example.test',
          'STATUS:TENTATIVE',
          'CREATED:20251201T080000Z',
          'LAST-MODIFIED:20251202T080000Z',
          'X-WR-ANYTHING;not a property at all',
          'DESCRIPTION:',
        ),
      ),
    )
    expect(format.type).toBe('icalendar')
    expect(values).toEqual([
      {
        uid: 'm1@example.test',
        start: '2026-01-05T09:00:00+01:00',
        end: '2026-01-05T10:00:00+01:00',
        summary: 'Plan, part 1',
        location: 'Floor 2',
        room: 'Room 2.01',
        organizer: 'a@example.test',
        attendees: 1,
        status: 'tentative',
        all_day: false,
        recurrence_id: null,
        created: '2025-12-01T08:00:00Z',
        updated: '2025-12-02T08:00:00Z',
      },
    ])
    expect(rows[0]).toMatchObject({ key: 'm1@example.test' })
  })

  it('have dates when they last all day, and an exclusive end', async () => {
    const { values } = await read(
      calendarOf(
        ['UID:a', 'DTSTART;VALUE=DATE:20260105'],
        ['UID:b', 'DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108'],
      ),
    )
    expect(values).toMatchObject([
      { start: '2026-01-05', end: '2026-01-06', all_day: true },
      { start: '2026-01-05', end: '2026-01-08', all_day: true },
    ])
  })

  it('take a duration, or none, for their end', async () => {
    const { values } = await read(
      calendarOf(
        ['UID:a', 'DTSTART:20260105T090000', 'DURATION:PT1H30M'],
        ['UID:b', 'DTSTART:20260105T090000Z'],
        ['UID:c', 'DTSTART;TZID=Europe/Berlin:20260328T120000', 'DURATION:P1DT1H'],
      ),
    )
    expect(values.map(({ start, end }) => [start, end])).toEqual([
      ['2026-01-05T09:00:00', '2026-01-05T10:30:00'],
      ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z'],
      ['2026-03-28T12:00:00+01:00', '2026-03-29T13:00:00+02:00'],
    ])
  })

  it('keep texts that look like numbers', async () => {
    const { values } = await read(calendarOf(['UID:17', 'DTSTART:20260105T090000', 'SUMMARY:2026', 'LOCATION:401']))
    expect(values).toMatchObject([{ uid: '17', summary: '2026', location: '401' }])
  })

  it('are read with a BOM, mixed line ends, folded lines and alarms within', async () => {
    const lines = ['UID:a', 'DTSTART:20260105T090000', 'SUMMARY:One fol', ' ded line']
    const alarm = ['BEGIN:VALARM', 'SUMMARY:Alarm', 'BEGIN:X-A', 'END:X-A', 'END:VALARM', 'LOCATION:L']
    const text = calendarOf([...lines, ...alarm])
    const { values } = await read(`\ufeff${text.replace('\r\nUID', '\nUID').replace('\r\nLOC', '\rLOC')}`)
    expect(values).toMatchObject([{ summary: 'One folded line', location: 'L' }])
  })

  it('are read when a chunk ends anywhere', async () => {
    const bytes = Buffer.from(calendarOf(meeting('SUMMARY:Größe', 'LOCATION:fol\r\n ded')))
    async function* single() {
      for (const byte of bytes) yield Uint8Array.of(byte)
    }
    const { values } = await readTable(single(), { contentType: '' })
    expect(values).toMatchObject([{ summary: 'Größe', location: 'folded' }])
  })

  it('decode quoted-printable text with its soft line breaks', async () => {
    const { values } = await read(
      calendarOf(meeting('SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=B6=', '=C3=9Fe')),
    )
    expect(values).toMatchObject([{ summary: 'Größe' }])
  })

  it('of several calendars in a file are read', async () => {
    const { values } = await read(calendarOf(['UID:a', 'DTSTART:20260105T090000']) + calendarOf(meeting()))
    expect(values.map(({ uid }) => uid)).toEqual(['a', 'm1@example.test'])
  })

  it('are cancelled by a METHOD, and replaced by a later version', async () => {
    const { values } = await read(
      calendarOf(meeting('SEQUENCE:1', 'SUMMARY:New'), meeting('SUMMARY:Old'), ['UID:b', 'DTSTART:20260105T090000']) +
        calendarOf(['METHOD:CANCEL'], ['UID:b', 'DTSTART:20260105T090000']),
    )
    expect(values).toMatchObject([
      { summary: 'New', status: 'confirmed' },
      { uid: 'b', status: 'cancelled' },
    ])
  })

  it.each([
    ['no property', 'what is this', /line 6: "what is this" is not a property/],
    ['a day that does not exist', 'RDATE:20260230T090000', /"2026-02-30T09:00:00" is not a date or time/],
    ['an unknown zone', 'RDATE;TZID=Mars/Base:20260105T090000', /the time zone "Mars\/Base" is not known/],
    ['another status', 'STATUS:MAYBE', /STATUS "maybe"/],
    ['an end before the start', 'DTEND;TZID=Europe/Berlin:20260105T080000', /DTEND is before DTSTART/],
    ['several rules', 'RRULE:FREQ=DAILY;COUNT=2\r\nRRULE:FREQ=WEEKLY;COUNT=2', /several RRULEs/],
    ['an unreadable rule', 'RRULE:FREQ=SOMETIMES', /RRULE cannot be read/],
  ])('are refused with their line for %s, and the others are read', async (_, line, reason) => {
    const lines = ['UID:m', 'DTSTART;TZID=Europe/Berlin:20260105T090000', line, 'SUMMARY:S']
    const { values, refused } = await read(calendarOf(lines, meeting()))
    expect(values).toMatchObject([{ uid: 'm1@example.test' }])
    expect(refused).toEqual([{ line: expect.any(Number), reason: expect.stringMatching(reason) }])
  })

  it('without an end of the component are refused, but dropped where the file is cut off', async () => {
    const text = calendarOf(meeting(), ['UID:b', 'DTSTART:20260105T090000']).replace(
      /END:VEVENT\r\nEND:VCALENDAR\r\n$/,
      '',
    )
    expect((await read(text)).refused).toEqual([{ line: 8, reason: 'event: has no END' }])
    const cut = await readTable(text, { contentType: 'text/calendar', isTruncated: true })
    expect([cut.values.length, cut.refused]).toEqual([1, []])
  })
})
