import type { Aggregation, Frequency } from './run-input.ts'

/** A time as it is written in the data, and its value. */
export interface Observation {
  ts: unknown
  value: unknown
}

/** Values by the start of their step. */
export interface StepValue {
  time: number
  value: number
}

/** Combines observations by step of the wall clock of a time zone, ascending, as the forecast does. */
export function aggregate(
  observations: readonly Observation[],
  {
    frequency,
    aggregation = 'sum',
    timezone,
  }: { frequency: Frequency; aggregation?: Aggregation | undefined; timezone: string },
): StepValue[] {
  const zone = zonedTime(timezone)
  const steps = new Map<number, { at: number; value: number }[]>()
  for (const observation of observations) {
    const at = parseInstant(String(observation.ts ?? ''), zone)
    const value = aggregation === 'count' ? countedOf(observation.value) : toNumber(observation.value)
    if (at === undefined || value === undefined) continue
    const start = zone.toInstant(startOfStep(zone.toWall(at), frequency))
    const members = steps.get(start)
    if (members) members.push({ at, value })
    else steps.set(start, [{ at, value }])
  }
  return [...steps]
    .map(([time, members]) => ({ time, value: combine(members, aggregation) }))
    .toSorted((left, right) => left.time - right.time)
}

function combine(members: readonly { at: number; value: number }[], aggregation: Aggregation): number {
  const values = members.map(({ value }) => value)
  const sum = values.reduce((total, value) => total + value, 0)
  if (aggregation === 'count') return values.length
  if (aggregation === 'sum') return sum
  if (aggregation === 'mean') return sum / values.length
  if (aggregation === 'max') return Math.max(...values)
  return members.reduce((last, member) => (member.at >= last.at ? member : last)).value
}

/** Counts any value but an empty one, also a text. */
const countedOf = (value: unknown): number | undefined =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '') ? undefined : 1

/** Reads a number; an empty value is a gap. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/**
 * Converts between instants and the wall clock of a time zone. Wall clock times are milliseconds as if they were UTC.
 */
interface ZonedTime {
  toWall: (instant: number) => number
  /** Of a time that occurs twice, the earlier one. */
  toInstant: (wall: number) => number
}

/** @param timeZone IANA name @throws RangeError for an unknown zone */
export function zonedTime(timeZone: string): ZonedTime {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offsetAt = (instant: number): number => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
    return sign === '-' ? -offset : offset
  }
  return {
    toWall: (instant) => instant + offsetAt(instant),
    toInstant: (wall) => {
      const guess = wall - offsetAt(wall)
      const earlier = wall - offsetAt(guess - 3_600_000)
      return offsetAt(earlier) === wall - earlier ? earlier : wall - offsetAt(guess)
    },
  }
}

const dayMs = 86_400_000
const stepMs: Readonly<Record<Frequency, number>> = { hour: 3_600_000, day: dayMs, week: 7 * dayMs }
/** 1970-01-05 was a Monday. */
const mondayMs = 4 * dayMs

/** Returns the start of the step of a wall clock time. Weeks begin on Monday. */
function startOfStep(wall: number, frequency: Frequency): number {
  const origin = frequency === 'week' ? mondayMs : 0
  return Math.floor((wall - origin) / stepMs[frequency]) * stepMs[frequency] + origin
}

const isoPattern = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/

/** Parses a time of ISO 8601; one without offset is local. @returns the instant, or undefined for anything else */
export function parseInstant(text: string, zone: ZonedTime): number | undefined {
  const match = isoPattern.exec(text.trim())
  if (!match?.[1]) return undefined
  const [, date, time = '00:00', offset] = match
  const wall = Date.parse(`${date}T${time.replace(',', '.')}Z`)
  if (Number.isNaN(wall)) return undefined
  if (offset === undefined) return zone.toInstant(wall)
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  const shift = (Number(hours) * 60 + Number(minutes)) * 60_000
  return wall - (sign === '-' ? -shift : shift)
}
