import { ForecastInputError } from '../errors.ts'

/** The wall clock of one time zone over a span of time. All values are milliseconds. */
export interface TimeZone {
  /** Local time minus UTC at an instant. */
  offsetAt: (utcMs: number) => number
  /** The instants at which the wall clock shows this time: none, one, or two (ascending). */
  instantsOf: (wallMs: number) => number[]
}

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Builds a table of a zone's offset changes between two instants. Calling Intl for each of 100,000 points takes
 * seconds; calling it once per day, with a binary search for each change, takes milliseconds.
 */
export function loadZone(timezone: string, fromMs: number, toMs: number): TimeZone {
  const offsetOf = offsetReader(timezone)
  const since: number[] = [Number.NEGATIVE_INFINITY]
  const offsets: number[] = [offsetOf(fromMs - 2 * dayMs)]
  for (let at = fromMs - 2 * dayMs; at < toMs + 2 * dayMs; at += dayMs) {
    const after = offsetOf(at + dayMs)
    if (after === offsetOf(at)) continue
    since.push(findChange(offsetOf, at, at + dayMs))
    offsets.push(after)
  }
  return tableZone(since, offsets)
}

/** Returns the first instant of each local date as RFC 3339 in UTC. @param dates `YYYY-MM-DD`, in order */
export function localMidnights(dates: readonly string[], timezone: string): string[] {
  const walls = dates.map((date) => Date.parse(`${date}T00:00:00Z`))
  const zone = loadZone(timezone, walls[0] ?? 0, walls.at(-1) ?? 0)
  return walls.map((wallMs) => {
    // A midnight that the clock skips is that of the offset before.
    const [instant = wallMs - zone.offsetAt(wallMs - dayMs)] = zone.instantsOf(wallMs)
    return new Date(instant).toISOString()
  })
}

function tableZone(since: number[], offsets: number[]): TimeZone {
  let last = 0
  const offsetAt = (utcMs: number): number => {
    // Points are in order, so the period of the previous one nearly always matches.
    while (last > 0 && utcMs < (since[last] ?? 0)) last -= 1
    while (last + 1 < since.length && utcMs >= (since[last + 1] ?? 0)) last += 1
    return offsets[last] ?? 0
  }
  const instantsOf = (wallMs: number): number[] => {
    const before = offsetAt(wallMs - dayMs)
    const after = offsetAt(wallMs + dayMs)
    if (before === after) return [wallMs - before]
    return [...new Set([before, after])]
      .map((offset) => ({ instant: wallMs - offset, offset }))
      .filter(({ instant, offset }) => offsetAt(instant) === offset)
      .map(({ instant }) => instant)
      .sort((a, b) => a - b)
  }
  return { offsetAt, instantsOf }
}

function findChange(offsetOf: (ms: number) => number, from: number, to: number): number {
  const before = offsetOf(from)
  let low = Math.floor(from / minuteMs)
  let high = Math.ceil(to / minuteMs)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetOf(middle * minuteMs) === before) low = middle
    else high = middle
  }
  return high * minuteMs
}

function offsetReader(timezone: string): (utcMs: number) => number {
  const format = dateFormat(timezone)
  return (utcMs) => {
    const name = format.formatToParts(utcMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign, hours, minutes, seconds] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) ?? []
    const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
    return (sign === '-' ? -1000 : 1000) * total
  }
}

function dateFormat(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  } catch (cause) {
    throw new ForecastInputError('timezone_unknown', `"${timezone}" is not a known time zone.`, { cause })
  }
}
