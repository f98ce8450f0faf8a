import { createLattice } from '../../privacy/lattice.ts'
import { latticeShape } from '../../privacy/lattice-shape.ts'
import { suppress } from '../../privacy/suppress.ts'
import type { SpaceBookingsRow } from '../../store/booking-months.ts'

type Figure = Exclude<keyof SpaceBookingsRow, 'spaceId' | 'day'>

/** The bookings of one space that begin on a day. */
export type SpaceBookings = Pick<SpaceBookingsRow, Figure> & {
  /** Of the space. */
  position: number
  /** Days since 1970. */
  day: number
}

/** The bookings of one space on the same weekday of a month. */
export type BookingCell = Omit<SpaceBookings, 'day'> & {
  /** 1 for Monday. */
  weekday: number
  isSuppressed: boolean
}

const figures: readonly Figure[] = ['booked', 'used', 'released', 'noShows', 'unknown', 'minutesLost']

/**
 * Sums the bookings of a month by space and weekday, and decides which sums are withheld.
 *
 * A booking is in one space and in all around it, so that spaces add up: what is withheld is protected in that tree.
 * Months and weekdays are fixed, and a sum of shown cells tells nothing that they do not. While a month runs its cells
 * grow by a day at a time. Then a cell is shown only if each of its days has no bookings or as many as the threshold;
 * once the month is over, also if all days after the last that could be shown have that many together.
 *
 * @param parents the position of the parent of each space, -1 for a root
 * @param isOver true if all days of the month are among those given
 */
export function countBookingMonth(
  parents: Int32Array,
  days: readonly SpaceBookings[],
  { isOver, threshold }: { isOver: boolean; threshold: number },
): BookingCell[] {
  const shape = latticeShape({ parents: [] }, { parents })
  return [...Map.groupBy(days, ({ day }) => isoWeekday(day))].flatMap(([weekday, ofWeekday]) => {
    const bySpace = Map.groupBy(ofWeekday, ({ position }) => position)
    const counts = Array.from(parents, (_, position) => sumOf(bySpace.get(position) ?? []))
    const total = counts.reduce((sum, count, position) => sum + ((parents[position] ?? -1) < 0 ? count : 0), 0)
    const lattice = createLattice(shape, [{ total, spaces: [], teams: counts, within: -1 }])
    for (const [position, own] of bySpace)
      if (tellsOfFewDays(own, isOver, threshold)) lattice.hidden[shape.teamNodes[position] ?? -1] = 1
    suppress(lattice, { threshold, protectAbsent: false })
    return [...bySpace].map(([position, own]) => ({
      position,
      weekday,
      isSuppressed: lattice.hidden[shape.teamNodes[position] ?? -1] === 1,
      ...sumFigures(own),
    }))
  })
}

/** Returns 1 for a Monday, 7 for a Sunday. */
const isoWeekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

const bookingsOf = ({ booked, released }: SpaceBookings): number => booked + released

const sumOf = (days: readonly SpaceBookings[]): number => days.reduce((sum, day) => sum + bookingsOf(day), 0)

function tellsOfFewDays(days: readonly SpaceBookings[], isOver: boolean, threshold: number): boolean {
  const isFew = (count: number) => count > 0 && count < threshold
  const inOrder = days.toSorted((a, b) => a.day - b.day)
  const firstFew = inOrder.findIndex((day) => isFew(bookingsOf(day)))
  if (firstFew < 0) return false
  return !isOver || (firstFew > 0 && isFew(sumOf(inOrder.slice(firstFew))))
}

function sumFigures(days: readonly SpaceBookings[]): Record<Figure, number> {
  const sums = { booked: 0, used: 0, released: 0, noShows: 0, unknown: 0, minutesLost: 0 }
  for (const day of days) for (const figure of figures) sums[figure] += day[figure]
  return sums
}
