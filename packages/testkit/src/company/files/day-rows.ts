import type { Booking } from '../bookings/booking.ts'
import { countTimes, type DayCounts } from '../days/count-day.ts'
import type { Swipes } from '../days/swipes.ts'
import { dateOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'
import { bookingName, employeeNumber, formatMinute, formatSecond, personName, sensorNames } from './spellings.ts'
import { csvRow } from './text-file.ts'

export const badgeHeader = 'Ausweis-Nr;Name;Leser;Ereignis;Zeit\r\n'

/** Creates a function that formats the swipes of a day as rows of the access system, which is German. */
export function createBadgeFormatter(company: Company): (day: number, swipes: Swipes) => string {
  const people = Array.from(
    { length: company.people },
    (_, person) => `${employeeNumber(person)};${personName(person)};`,
  )
  const readers = company.readers.flatMap(({ name }) => [`${name};Eintritt;`, `${name};Austritt;`])
  return (day, { length, person, reader, second, isExit }) => {
    const [year, month, dayOfMonth] = dateOf(company, day).split('-')
    const date = `${dayOfMonth}.${month}.${year} `
    let rows = ''
    for (let index = 0; index < length; index += 1) {
      const event = readers[(reader[index] ?? 0) * 2 + (isExit[index] ?? 0)]
      rows += `${people[person[index] ?? 0]}${event}${date}${formatSecond(second[index] ?? 0)}\r\n`
    }
    return rows
  }
}

export const bookingHeader = csvRow([
  ...['Booking', 'Resource', 'Start', 'End', 'Employee', 'Attendees', 'Checked in', 'Cancelled', 'Series'],
])

export function formatBooking(company: Company, booking: Booking): string {
  const { number, space, day, start, end, person, attendees, isCheckedIn, isCancelled, series } = booking
  const time = (minute: number) => `${dateOf(company, day)}T${formatMinute(minute)}`
  return csvRow([
    ...[`B${String(number).padStart(7, '0')}`, bookingName(company, space), time(start), time(end)],
    ...[employeeNumber(person), attendees, isCheckedIn, isCancelled, series === 0 ? null : `S${series}`],
  ])
}

export const doorHeader = csvRow(['Sensor', 'Time', 'In', 'Out'])
export const cameraHeader = csvRow(['Sensor', 'Time', 'People'])

/** Formats the rows of both counters of a day. */
export function formatCounts(company: Company, day: number, counts: DayCounts): { door: string; camera: string } {
  const time = (minute: number) => `${dateOf(company, day)} ${formatMinute(minute)}`
  const rows = (name: string, columns: readonly (readonly number[])[]) =>
    countTimes.map((minute, row) => csvRow([name, time(minute), ...columns.map((column) => column[row] ?? 0)])).join('')
  return { door: rows(sensorNames.door, [counts.in, counts.out]), camera: rows(sensorNames.camera, [counts.level]) }
}
