const halfDayMs = 43_200_000
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/**
 * Describes the days of a window: `Nov 27 to Dec 4`. The window begins and ends at midnight in the time zone of its
 * run, which a recommendation does not state; noon of its first and last day is on the same date in UTC for zones up to
 * 12 hours away.
 */
export function describeWindow({ from, until }: { from: string; until: string }): string {
  const [first, last] = [Date.parse(from) + halfDayMs, Date.parse(until) - halfDayMs].map((time) => date.format(time))
  return first === last ? `${first}` : `${first} to ${last}`
}
