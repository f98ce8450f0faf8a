/** The wall clock of a time zone. */
export interface LocalClock {
  /** Returns the local date at an instant, `YYYY-MM-DD`. */
  dateAt(instantMs: number): string
  /**
   * Returns the first instant at which the clock shows a time, `HH:MM`, on a date. A time that a clock change skips is
   * at the end of the gap, which may be on the next date. Undefined if the zone has no such date.
   *
   * @throws RangeError if the time is not from 00:00 to 23:59
   */
  instantOf(date: string, localTime: string): number | undefined
}

const dayMs = 86_400_000
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/** @throws RangeError if the zone is unknown */
export function createLocalClock(timezone: string): LocalClock {
  const offsetAt = offsetReader(timezone)
  return {
    dateAt: (instantMs) => dateOf(instantMs + offsetAt(instantMs)),
    instantOf(date, localTime) {
      if (!timeOfDay.test(localTime)) throw new RangeError(`"${localTime}" is not a time from 00:00 to 23:59`)
      const wallMs = Date.parse(`${date}T${localTime}Z`)
      // Offsets are between -12 and +14 hours and change at most once in the two days between these instants.
      const before = offsetAt(wallMs - dayMs)
      const after = offsetAt(wallMs + dayMs)
      if (before === after) return wallMs - before
      const offset = [before, after].find((candidate) => offsetAt(wallMs - candidate) === candidate)
      if (offset !== undefined) return wallMs - offset
      const gapEnd = findChange(offsetAt, wallMs - after, wallMs - before)
      const startOfDate = Date.parse(date)
      const isDateSkipped = gapEnd + before <= startOfDate && gapEnd + after >= startOfDate + dayMs
      return isDateSkipped ? undefined : gapEnd
    },
  }
}

/** Returns the date a number of days later, or earlier. */
export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * dayMs)

const dateOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)

/** Returns the first second at which the offset has changed between two instants. */
function findChange(offsetAt: (instantMs: number) => number, from: number, until: number): number {
  const before = offsetAt(from)
  let low = from
  let high = until
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Returns a function that reads local time minus UTC at an instant, in milliseconds. */
function offsetReader(timezone: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  return (instantMs) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instantMs)) ?? []
    const totalMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
    return sign === '-' ? -totalMs : totalMs
  }
}
