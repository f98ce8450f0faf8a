import type { Booking } from '../bookings/booking.ts'
import { dateOf, weekdayOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'
import { bookingName, formatMinute } from './spellings.ts'

/** One event that the calendar has on a day. */
export interface CalendarOccurrence {
  date: string
  /** Local time, such as `09:30`. */
  start: string
  end: string
  isCancelled: boolean
}

/** Returns all occurrences of a calendar, in the order of time, the cancelled ones included. */
export const listOccurrences = (company: Company, bookings: readonly Booking[]): CalendarOccurrence[] =>
  bookings
    .toSorted((a, b) => a.day - b.day || a.start - b.start)
    .map(({ day, start, end, isCancelled }) => ({
      date: dateOf(company, day),
      start: formatMinute(start),
      end: formatMinute(end),
      isCancelled,
    }))

const berlin = [
  ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin'],
  ...['BEGIN:STANDARD', 'DTSTART:19701025T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
  ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:19700329T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
  ...['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

/**
 * Formats the bookings of one room as its calendar (RFC 5545). A weekly series is one event with RRULE; weeks without
 * it are EXDATEs, and a cancelled week is an event with RECURRENCE-ID and STATUS:CANCELLED. The room is in Berlin.
 */
export function formatCalendar(company: Company, bookings: readonly Booking[]): string {
  const bySeries = Map.groupBy(bookings, ({ series }) => series)
  const events = [...bySeries].flatMap(([series, own]) =>
    series === 0 ? own.flatMap((booking) => formatSingle(company, booking)) : formatSeries(company, series, own),
  )
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Made Company//Rooms 1.0//EN', 'CALSCALE:GREGORIAN'],
    ...[
      `X-WR-CALNAME:${escapeText(bookingName(company, company.calendarRoom))}`,
      ...berlin,
      ...events,
      'END:VCALENDAR',
    ],
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('')
}

function formatSingle(company: Company, booking: Booking): string[] {
  const status = booking.isCancelled ? 'CANCELLED' : 'CONFIRMED'
  return formatEvent(company, booking, `b${booking.number}`, `Meeting, ${booking.attendees} people`, [
    `STATUS:${status}`,
  ])
}

function formatSeries(company: Company, series: number, bookings: readonly Booking[]): string[] {
  const [first, last] = [bookings[0], bookings.at(-1)]
  if (first === undefined || last === undefined) return []
  const weekday = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'][weekdayOf(company, first.day)]
  const held = new Set(bookings.map(({ day }) => day))
  const missing: string[] = []
  for (let day = first.day; day <= last.day; day += 7)
    if (!held.has(day)) missing.push(formatTime(company, day, first.start))
  const rule = `RRULE:FREQ=WEEKLY;BYDAY=${weekday};COUNT=${(last.day - first.day) / 7 + 1}`
  const exceptions = missing.length === 0 ? [] : [`EXDATE;TZID=Europe/Berlin:${missing.join(',')}`]
  const summary = `Weekly meeting ${series}`
  return [
    ...formatEvent(company, first, `s${series}`, summary, [rule, ...exceptions, 'STATUS:CONFIRMED']),
    ...bookings
      .filter(({ isCancelled }) => isCancelled)
      .flatMap((booking) =>
        formatEvent(company, booking, `s${series}`, summary, [
          `RECURRENCE-ID;TZID=Europe/Berlin:${formatTime(company, booking.day, booking.start)}`,
          'STATUS:CANCELLED',
        ]),
      ),
  ]
}

function formatEvent(
  company: Company,
  booking: Booking,
  uid: string,
  summary: string,
  lines: readonly string[],
): string[] {
  const { day, start, end } = booking
  return [
    ...['BEGIN:VEVENT', `UID:${uid}@rooms.example`, `DTSTAMP:${formatTime(company, 0, 0)}Z`],
    `DTSTART;TZID=Europe/Berlin:${formatTime(company, day, start)}`,
    `DTEND;TZID=Europe/Berlin:${formatTime(company, day, end)}`,
    ...[`SUMMARY:${escapeText(summary)}`, ...lines, 'END:VEVENT'],
  ]
}

const formatTime = (company: Company, day: number, minute: number): string =>
  `${dateOf(company, day).replaceAll('-', '')}T${formatMinute(minute).replace(':', '')}00`

const escapeText = (text: string): string => text.replace(/[\\;,]/g, (character) => `\\${character}`)

/** Breaks a line of ASCII after 75 octets; the parts after the first begin with a space. */
const fold = (line: string): string => line.replace(/^.{75}|.{74}/g, '$&\r\n ').replace(/\r\n $/, '')
