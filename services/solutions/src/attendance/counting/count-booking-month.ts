import { createLattice } from '../../privacy/lattice.ts'
import { latticeShape } from '../../privacy/lattice-shape.ts'
import { suppress } from '../../privacy/suppress.ts'
import type { SpaceBookingsRow } from '../../store/booking-months.ts'
import { daysAfterMonday } from '../../workplace/local-days.ts'

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
 * grow by a day at a time, so that each day is told by the cells that are shown before and after it: once a day would
 * tell of few bookings, in a cell or between cells, cells are withheld until the month is over. Then they are shown
 * again if all days after the last that could be shown tell of no few bookings together.
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
  return [...Map.groupBy(days, ({ day }) => daysAfterMonday(day) + 1)].flatMap(([weekday, ofWeekday]) => {
    const inOrder = [...new Set(ofWeekday.map(({ day }) => day))].toSorted((a, b) => a - b)
    let [grown, final] = [new Uint8Array(parents.length), new Uint8Array(parents.length)]
    for (const [at, first] of inOrder.entries()) {
      const next = withheldOf(({ day }) => day === first, grown)
      if (isOver && at > 0 && next.some((isWithheld, space) => isWithheld !== grown[space])) {
        const rest = withheldOf(({ day }) => day >= first, grown)
        // What is withheld already was not shown before these days.
        for (const [space, isWithheld] of rest.entries()) if (isWithheld > (grown[space] ?? 0)) final[space] = 1
      }
      grown = next
    }
    final = withheldOf(() => true, isOver ? final : grown)
    return [...Map.groupBy(ofWeekday, ({ position }) => position)].map(([position, own]) => ({
      position,
      weekday,
      isSuppressed: final[position] === 1,
      ...sumFigures(own),
    }))

    /** Returns 1 for each space that is withheld in the sums of some days, with those that are so already. */
    function withheldOf(isOne: (row: SpaceBookings) => boolean, already: Uint8Array): Uint8Array<ArrayBuffer> {
      const counts = new Array<number>(parents.length).fill(0)
      for (const row of ofWeekday)
        if (isOne(row)) counts[row.position] = (counts[row.position] ?? 0) + row.booked + row.released
      const total = counts.reduce((sum, count, position) => sum + ((parents[position] ?? -1) < 0 ? count : 0), 0)
      const lattice = createLattice(shape, [{ total, spaces: [], teams: counts, within: -1 }])
      for (const [position, isWithheld] of already.entries())
        if (isWithheld === 1) lattice.hidden[shape.teamNodes[position] ?? -1] = 1
      suppress(lattice, { threshold, protectAbsent: false })
      return Uint8Array.from(parents, (_, position) => lattice.hidden[shape.teamNodes[position] ?? -1] ?? 0)
    }
  })
}

function sumFigures(days: readonly SpaceBookings[]): Record<Figure, number> {
  const sums = { booked: 0, used: 0, released: 0, noShows: 0, unknown: 0, minutesLost: 0 }
  for (const day of days) for (const figure of figures) sums[figure] += day[figure]
  return sums
}
