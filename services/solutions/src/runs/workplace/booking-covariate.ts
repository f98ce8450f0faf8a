import type { Covariate } from '../../forecast/index.ts'

/** Weeks whose bookings are usual, and the share of them from which a week to come counts as booked. */
const [usualWeeks, bookedShare] = [8, 0.9]

/**
 * Returns the bookings of a space as a column that is known in advance, for as many whole weeks ahead as have about as
 * many bookings as usual: when the bookings of past days were made is not known, so that a week with a part of them
 * would be taken for a quiet one.
 *
 * @param bookings by day from `since` on, days to come included
 * @param length days of the history
 */
export function bookingCovariate(
  bookings: readonly number[],
  { since, length, horizon }: { since: string; length: number; horizon: number },
): Covariate | undefined {
  const sumFrom = (start: number) => bookings.slice(start, start + 7).reduce((sum, booked) => sum + booked, 0)
  const past = Array.from({ length: usualWeeks }, (_, week) => length - 7 * (week + 1)).filter((start) => start >= 0)
  const usual = past.map(sumFrom).sort((a, b) => a - b)[Math.floor(past.length / 2)] ?? 0
  if (usual === 0) return undefined
  let weeks = 0
  while (7 * weeks < horizon && sumFrom(length + 7 * weeks) >= bookedShare * usual) weeks++
  if (weeks === 0) return undefined
  const daysAhead = Math.min(horizon, 7 * weeks)
  return { since, values: bookings.slice(0, length + horizon), daysAhead }
}
