import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { companyFiles, writeCompany } from '../../src/company/index.ts'
import { readExpected } from './read-company.ts'

const folder = await mkdtemp(join(tmpdir(), 'company-'))
await writeCompany(folder, { people: 300, days: 200 })
const expected = await readExpected(folder)
const calendar = await readFile(join(folder, companyFiles.calendar), 'utf8')
afterAll(() => rm(folder, { recursive: true, force: true }))

type Event = Readonly<Record<string, string>>

/** Reads the events of a calendar; parameters of properties are left out. */
const readEvents = (): Event[] =>
  calendar
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((text) =>
      Object.fromEntries(
        text
          .split('\r\n')
          .map((line) => /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line))
          .flatMap((match) => (match === null ? [] : [[match[1], match[2]]])),
      ),
    )

const addWeeks = (time: string, weeks: number) => {
  const date = time.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')
  const moved = new Date(Date.parse(date) + weeks * 7 * 86_400_000).toISOString().slice(0, 10)
  return `${moved.replaceAll('-', '')}${time.slice(8)}`
}

it('a room calendar expands to the bookings of the room', () => {
  const events = readEvents()
  const isSeries = ({ RRULE }: Event) => RRULE !== undefined
  const overrides = events.filter((event) => event['RECURRENCE-ID'] !== undefined)
  const found = events.flatMap((event) => {
    const { UID, DTSTART = '', STATUS, RRULE, EXDATE = '' } = event
    if (event['RECURRENCE-ID'] !== undefined) return []
    const count = isSeries(event) ? Number(/COUNT=(\d+)/.exec(RRULE ?? '')?.[1]) : 1
    const starts = Array.from({ length: count }, (_, week) => addWeeks(DTSTART, week))
    return starts
      .filter((start) => !EXDATE.split(',').includes(start))
      .map((start) => {
        const override = overrides.find((own) => own.UID === UID && own['RECURRENCE-ID'] === start)
        return { start, isCancelled: (override?.STATUS ?? STATUS) === 'CANCELLED' }
      })
  })
  const wanted = expected.calendar.occurrences.map(({ date, start, isCancelled }) => {
    return { start: `${date.replaceAll('-', '')}T${start.replace(':', '')}00`, isCancelled }
  })
  expect(found.toSorted((a, b) => (a.start < b.start ? -1 : 1))).toEqual(wanted)
  expect(events.filter(isSeries).length).toBeGreaterThanOrEqual(5)
  expect(events.some(({ EXDATE }) => EXDATE !== undefined)).toBe(true)
  expect(overrides.length).toBeGreaterThan(0)
})

it('a room calendar has lines of at most 75 octets', () => {
  expect(Math.max(...calendar.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
})
