import { type Booking, isNoShow } from '../bookings/booking.ts'
import { weekdayOf } from '../model/calendar.ts'
import type { Organization } from '../model/company.ts'

/** The bookings of a space on one weekday. */
export interface BookingTotals {
  /** Bookings that were not cancelled: those used and the no-shows. */
  booked: number
  used: number
  noShows: number
  cancelled: number
  /** Minutes of the no-shows. */
  lostMinutes: number
}

const empty = (): BookingTotals => ({ booked: 0, used: 0, noShows: 0, cancelled: 0, lostMinutes: 0 })

/** Adds up bookings by space and weekday. Totals are of the space itself, not of those below it. */
export function createBookingTotals(organization: Organization) {
  const bySpace = new Map<number, BookingTotals[]>()
  const all = empty()
  return {
    bySpace,
    all,
    add(booking: Booking): void {
      const weekdays = bySpace.get(booking.space) ?? Array.from({ length: 7 }, empty)
      bySpace.set(booking.space, weekdays)
      const own = weekdays[weekdayOf(organization, booking.day)]
      for (const totals of own === undefined ? [all] : [own, all]) {
        if (booking.isCancelled) {
          totals.cancelled += 1
          continue
        }
        totals.booked += 1
        if (isNoShow(booking)) {
          totals.noShows += 1
          totals.lostMinutes += booking.end - booking.start
        } else totals.used += 1
      }
    },
  }
}
