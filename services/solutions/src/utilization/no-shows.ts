import { type solutions, weekdays } from '@wp/contracts'
import type { z } from 'zod'
import type { BookingSums } from '../store/booking-months.ts'

type Row = z.input<typeof solutions.listNoShows.list>

/** Returns the rows of each space by weekday, in the order of `ids`. */
export function noShowRows(sums: readonly BookingSums[], ids: readonly string[]): Row[] {
  const bySpace = Map.groupBy(sums, ({ spaceId }) => spaceId)
  return ids.flatMap((id) => (bySpace.get(id) ?? []).map(rowOf))
}

function rowOf({ spaceId, weekday, months, monthsShown, ...sums }: BookingSums): Row {
  const place = { space_id: spaceId, weekday: weekdays[weekday - 1] ?? 'mon' }
  const shown = { months, months_shown: monthsShown, suppressed: monthsShown < months }
  const none = { booked: null, used: null, released: null, no_shows: null, share: null, hours_lost: null }
  if (monthsShown === 0) return { ...place, ...none, ...shown }
  const known = sums.booked - sums.unknown
  return {
    ...place,
    booked: sums.booked,
    used: sums.used,
    released: sums.released,
    no_shows: sums.noShows,
    share: known === 0 ? null : Math.round((sums.noShows / known) * 10_000) / 10_000,
    hours_lost: Math.round(sums.minutesLost / 6) / 10,
    ...shown,
  }
}
