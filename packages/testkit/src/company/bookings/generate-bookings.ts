import type { CompanyDay } from '../days/generate-days.ts'
import { weekdayOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'
import { Random, streams } from '../random.ts'
import type { Booking } from './booking.ts'
import { createNoShowDecision } from './no-show-decision.ts'
import { groupPeople, type PeopleOfFloor, takeFrom } from './people-of-floors.ts'

/** Half hours from 08:00 to 18:00 in which rooms are booked. */
const [firstSlot, slots, slotMinutes] = [480, 20, 30]
const cancelled = 0.08
/** No-shows of Monday to Friday relative to the mean. */
const weekdayNoShows = [1.02, 0.9, 0.94, 0.96, 1.35]
/** Bookings of Monday to Friday relative to the busiest day. */
const weekdayBookings = [0.9, 1, 1, 0.95, 0.5]
const probabilities = { desk: 0.27, single: 0.26, series: 0.37 }
/** Share of the desks of a zone that are booked on a busy day. */
const bookedDesks = 0.35

interface Series {
  number: number
  space: number
  weekday: number
  slot: number
  length: number
  organizer: number
}

/**
 * Creates a function that returns the bookings of a day; the days must follow each other from the first one. A booking
 * of a desk or a single one of a room is used if its person is present on the floor, and a no-show if not. No one books
 * at weekends, on public holidays and where no one is.
 */
export function createBookingGenerator(company: Company): (day: CompanyDay) => Booking[] {
  const { spaces, holidays, options } = company
  const series = createSeries(company)
  const noShows = createNoShowDecision(new Random(options.seed, streams.bookings, -1))
  let number = 0

  return (companyDay) => {
    const { day } = companyDay
    const weekday = weekdayOf(company, day)
    if (weekday > 4) return []
    const random = new Random(options.seed, streams.bookings, day)
    const people = groupPeople(company, companyDay)
    const bookings: Booking[] = []

    const book = (
      own: Pick<Booking, 'space' | 'start' | 'end' | 'attendees' | 'series'>,
      floor: PeopleOfFloor,
      kind: keyof typeof probabilities,
      organizer?: number,
    ) => {
      const isCancelled = random.chance(cancelled)
      const misses = !isCancelled && noShows.decide(probabilities[kind] * (weekdayNoShows[weekday] ?? 1))
      const person = organizer ?? takeFrom(misses || isCancelled ? floor.absent : floor.present)
      // Everyone is here, or no one: then it is the other way round.
      const isNoShow = person === undefined ? !isCancelled && !misses : misses
      const someone = person ?? takeFrom(isNoShow || isCancelled ? floor.absent : floor.present)
      if (someone === undefined) return
      if (!isCancelled) noShows.count(isNoShow)
      number += 1
      bookings.push({ ...own, number, day, person: someone, isCancelled, isCheckedIn: !isCancelled && !isNoShow })
    }

    for (const [space, { kind, parent, capacity }] of spaces.entries()) {
      const floor = people.get(parent)
      if (floor === undefined || floor.present.length === 0 || holidays[space]?.has(day)) continue
      const busy = (weekdayBookings[weekday] ?? 0) * Math.min(1, floor.present.length / (0.3 * floor.members))
      if (kind === 'zone') {
        const desks = Math.min(floor.present.length, Math.round(capacity * bookedDesks * busy))
        for (let desk = 0; desk < desks; desk += 1) {
          const start = random.chance(0.5) ? 480 : 540
          book({ space, start, end: 1020, attendees: 1, series: 0 }, floor, 'desk')
        }
      }
      if (kind !== 'room') continue
      const taken = new Uint8Array(slots)
      const bookSlots = (slot: number, length: number, from: Series | undefined) => {
        taken.fill(1, slot, slot + length)
        const start = firstSlot + slot * slotMinutes
        const attendees = Math.min(floor.present.length, 2 + random.below(Math.max(1, capacity - 1)))
        const own = { space, start, end: start + length * slotMinutes, attendees, series: from?.number ?? 0 }
        book(own, floor, from === undefined ? 'single' : 'series', from?.organizer)
      }
      for (const one of series.get(space)?.[weekday] ?? [])
        if ((companyDay.teams[one.organizer] ?? -1) >= 0) bookSlots(one.slot, one.length, one)
      for (let slot = 0; slot < slots; slot += 1) {
        const length = Math.min(slots - slot, 1 + random.below(4))
        if (random.chance(0.2 * busy) && !taken.subarray(slot, slot + length).includes(1))
          bookSlots(slot, length, undefined)
      }
    }
    return bookings
  }
}

/** Creates one or two weekly series of each room on each weekday, by weekday. */
function createSeries({ spaces, people, options }: Company): Map<number, Series[][]> {
  const random = new Random(options.seed, streams.series)
  const found = new Map<number, Series[][]>()
  let number = 0
  for (const [space, { kind }] of spaces.entries()) {
    if (kind !== 'room') continue
    const weekdays = Array.from({ length: 5 }, (_, weekday) =>
      // In the morning, then perhaps in the afternoon.
      [2 + random.below(4), 11 + random.below(4)].slice(0, 1 + random.below(2)).map((slot): Series => {
        number += 1
        return { number, space, weekday, slot, length: 1 + random.below(3), organizer: random.below(people) }
      }),
    )
    found.set(space, weekdays)
  }
  return found
}
