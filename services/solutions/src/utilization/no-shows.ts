import { type solutions, weekdays } from '@wp/contracts'
import type { z } from 'zod'
import type { BookingDayRow } from '../store/utilization.ts'

type Row = z.input<typeof solutions.listNoShows.list>

/**
 * Returns the rows of each space by weekday. A row of fewer bookings than the threshold is withheld, and the next
 * smaller one of the space with it, so that the sum over the weekdays does not tell it.
 */
export function noShowRows(sums: readonly BookingDayRow[], ids: readonly string[], threshold: number): Row[] {
  const bySpace = Map.groupBy(sums, ({ spaceId }) => spaceId)
  return ids.flatMap((id) => {
    const rows = bySpace.get(id) ?? []
    const hidden = withheld(rows, threshold)
    return rows.map((row) => rowOf(row, hidden.has(row)))
  })
}

const bookingsOf = ({ booked, released }: BookingDayRow): number => booked + released

function withheld(rows: readonly BookingDayRow[], threshold: number): Set<BookingDayRow> {
  const sorted = rows.filter((row) => bookingsOf(row) > 0).sort((a, b) => bookingsOf(a) - bookingsOf(b))
  const small = sorted.filter((row) => bookingsOf(row) < threshold)
  const sum = small.reduce((total, row) => total + bookingsOf(row), 0)
  const needsAnother = small.length > 0 && (small.length === 1 || sum < threshold)
  return new Set(needsAnother ? sorted.slice(0, small.length + 1) : small)
}

function rowOf(row: BookingDayRow, isHidden: boolean): Row {
  const place = { space_id: row.spaceId, weekday: weekdays[row.weekday - 1] ?? 'mon' }
  const none = { booked: null, used: null, released: null, no_shows: null, share: null, hours_lost: null }
  if (isHidden) return { ...place, ...none, suppressed: true }
  const known = row.booked - row.unknown
  return {
    ...place,
    booked: row.booked,
    used: row.used,
    released: row.released,
    no_shows: row.noShows,
    share: known === 0 ? null : Math.round((row.noShows / known) * 10_000) / 10_000,
    hours_lost: Math.round(row.minutesLost / 6) / 10,
    suppressed: false,
  }
}
