const dayMs = 86_400_000
const hourMs = 3_600_000
/** A longer time has too many weekends to tell them apart, and a shorter one needs none. */
const [leastMs, mostMs] = [2 * dayMs, 130 * dayMs]

/**
 * Returns the Saturdays and Sundays between two times, in milliseconds since 1970, by the calendar of a time zone; none
 * of a time of less than two days or more than 130.
 */
export function weekendsBetween(from: number, until: number, timeZone: string | undefined): [number, number][] {
  if (until - from < leastMs || until - from > mostMs) return []
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  })
  const found: [number, number][] = []
  for (let start = midnightBefore(from); start < until; ) {
    // Noon of the next day, whether this one has 23, 24 or 25 hours.
    const next = midnightBefore(start + 36 * hourMs)
    if (['Sat', 'Sun'].includes(partsOf(start).weekday)) found.push([Math.max(from, start), Math.min(until, next)])
    start = next
  }
  return found

  function midnightBefore(time: number): number {
    const start = time - partsOf(time).sinceMidnightMs
    // A clock change since midnight moves the result by an hour.
    const { sinceMidnightMs: off } = partsOf(start)
    return off === 0 ? start : off < dayMs / 2 ? start - off : start + dayMs - off
  }

  function partsOf(time: number) {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
    const [hours, minutes] = [Number(parts.get('hour')), Number(parts.get('minute'))]
    const sinceMidnightMs = hours * hourMs + minutes * 60_000 + (((time % 60_000) + 60_000) % 60_000)
    return { weekday: parts.get('weekday') ?? '', sinceMidnightMs }
  }
}
