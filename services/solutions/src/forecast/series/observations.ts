import type { Frequency, InputPoint } from '../shapes.ts'
import { type ParsedTimestamp, parseTimestamp } from '../time/parse-timestamp.ts'
import { loadZone, type TimeZone } from '../time/time-zone.ts'

/** The points of one series, ordered by instant, at most one per instant. */
export interface Observations {
  instants: Float64Array
  values: Float64Array
  duplicates: number
  /** Number of invalid timestamps. */
  invalid: number
  /** Number of local times that a clock change skips. */
  nonexistent: number
}

interface TimedValue {
  instant: number
  value: number
}

/**
 * Converts points to observations. Nulls are gaps and omitted. Of two values for one instant the later in the input is
 * used. A local time skipped by a clock change is omitted for hours, which have no such hour, and kept for days and weeks.
 */
export function parsePoints(points: InputPoint[], zone: TimeZone, frequency: Frequency): Observations {
  const placed: TimedValue[] = []
  const repeated = new Set<number>()
  let unreadable = 0
  let nonexistent = 0
  for (const { ts, value } of points) {
    if (value === null || !Number.isFinite(value)) continue
    const written = parseTimestamp(ts)
    if (!written) {
      unreadable += 1
      continue
    }
    const skipped = frequency === 'hour' ? undefined : written.wallMs - zone.offsetAt(written.wallMs - 86_400_000)
    const instant = instantOf(written, zone, repeated) ?? skipped
    if (instant === undefined) nonexistent += 1
    else placed.push({ instant, value })
  }
  return { ...onePerInstant(placed), invalid: unreadable, nonexistent }
}

/** Loads the time zone for the span of the points and `horizonMs` beyond. */
export function zoneFor(points: InputPoint[], timezone: string, horizonMs: number): TimeZone {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const wallMs = parseTimestamp(point.ts)?.wallMs
    if (wallMs === undefined) continue
    if (wallMs < from) from = wallMs
    if (wallMs > to) to = wallMs
  }
  return from <= to ? loadZone(timezone, from, to + horizonMs) : loadZone(timezone, 0, 0)
}

/** Resolves a local time. In a repeated hour, its first occurrence is the earlier instant, its second the later one. */
function instantOf(written: ParsedTimestamp, zone: TimeZone, repeated: Set<number>): number | undefined {
  if (written.offsetMs !== null) return written.wallMs - written.offsetMs
  const [first, second] = zone.instantsOf(written.wallMs)
  if (second === undefined) return first
  if (repeated.has(written.wallMs)) return second
  repeated.add(written.wallMs)
  return first
}

function onePerInstant(placed: TimedValue[]): Pick<Observations, 'instants' | 'values' | 'duplicates'> {
  // The sort is stable, so of equal instants the later in the input comes last.
  placed.sort((a, b) => a.instant - b.instant)
  const instants = new Float64Array(placed.length)
  const values = new Float64Array(placed.length)
  let count = 0
  for (const { instant, value } of placed) {
    if (count === 0 || instants[count - 1] !== instant) count += 1
    instants[count - 1] = instant
    values[count - 1] = value
  }
  return { instants: instants.slice(0, count), values: values.slice(0, count), duplicates: placed.length - count }
}
