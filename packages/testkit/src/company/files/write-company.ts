import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Booking } from '../bookings/booking.ts'
import { createBookingGenerator } from '../bookings/generate-bookings.ts'
import { countDay } from '../days/count-day.ts'
import { generateDays } from '../days/generate-days.ts'
import { createSwipeReader } from '../days/swipes.ts'
import { createCompany } from '../model/create-company.ts'
import type { CompanyOptions } from '../options.ts'
import { createTruth } from '../truth/truth.ts'
import {
  badgeHeader,
  bookingHeader,
  cameraHeader,
  createBadgeFormatter,
  doorHeader,
  formatBooking,
  formatCounts,
} from './day-rows.ts'
import { describeTruth } from './expected.ts'
import { listPeople, listSpaces, listTeams } from './lists.ts'
import { formatCalendar, listOccurrences } from './room-calendar.ts'
import { createTextFile } from './text-file.ts'

/** The files of a company, each as another system exports it, and `expected.json`, the truth beside them. */
export const companyFiles = {
  spaces: 'spaces.csv',
  teams: 'teams.csv',
  people: 'directory.csv',
  badgeEvents: 'badge-events.csv',
  bookings: 'bookings.csv',
  door: 'counts-door.csv',
  camera: 'counts-camera.csv',
  calendar: 'room-calendar.ics',
  expected: 'expected.json',
} as const

/** Excel and German exports begin with it, so that umlauts are read as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Writes the files of a made company and the truth about it, day by day, in memory that does not grow with the events.
 *
 * @returns the rows of each file, without headers; for the calendar its occurrences
 * @throws RangeError naming the option that is out of bounds
 */
export async function writeCompany(
  folder: string,
  options: CompanyOptions = {},
): Promise<Record<keyof typeof companyFiles, number>> {
  const company = createCompany(options)
  await mkdir(folder, { recursive: true })
  const openFile = (name: keyof typeof companyFiles) => createTextFile(join(folder, companyFiles[name]))
  const files = {
    badgeEvents: await openFile('badgeEvents'),
    bookings: await openFile('bookings'),
    door: await openFile('door'),
    camera: await openFile('camera'),
  }
  files.badgeEvents.add(byteOrderMark + badgeHeader)
  files.bookings.add(bookingHeader)
  files.door.add(doorHeader)
  files.camera.add(cameraHeader)

  const readSwipes = createSwipeReader()
  const formatSwipes = createBadgeFormatter(company)
  const bookingsOf = createBookingGenerator(company)
  const truth = createTruth(company)
  const calendar: Booking[] = []
  const rows = { badgeEvents: 0, bookings: 0, door: 0, camera: 0 }
  for (const companyDay of generateDays(company)) {
    const swipes = readSwipes(companyDay.stays)
    files.badgeEvents.add(formatSwipes(companyDay.day, swipes))
    const bookings = bookingsOf(companyDay)
    for (const booking of bookings) {
      files.bookings.add(formatBooking(company, booking))
      if (booking.space === company.calendarRoom) calendar.push(booking)
    }
    const counts = countDay(company, companyDay)
    const { door, camera } = formatCounts(company, companyDay.day, counts)
    files.door.add(door)
    files.camera.add(camera)
    truth.addDay(companyDay, bookings, counts)
    rows.badgeEvents += swipes.length
    rows.bookings += bookings.length
    rows.door += counts.in.length
    rows.camera += counts.level.length
    for (const file of Object.values(files)) await file.drain()
  }
  for (const file of Object.values(files)) await file.close()

  const occurrences = listOccurrences(company, calendar)
  const write = (name: keyof typeof companyFiles, text: string) => writeFile(join(folder, companyFiles[name]), text)
  const lists = { spaces: [...listSpaces(company)], teams: [...listTeams(company)], people: [...listPeople(company)] }
  await write('spaces', lists.spaces.join(''))
  await write('teams', lists.teams.join(''))
  await write('people', lists.people.join(''))
  await write('calendar', formatCalendar(company, calendar))
  await write('expected', `${JSON.stringify(describeTruth(company, truth, occurrences))}\n`)
  return {
    spaces: lists.spaces.length - 1,
    teams: lists.teams.length - 1,
    people: lists.people.length - 1,
    ...rows,
    calendar: occurrences.length,
    expected: company.days,
  }
}
