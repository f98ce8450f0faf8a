import { type ParsedTimestamp, parseTimestamp } from '@wp/tabular'
import type { Frequency, InputPoint } from '../shapes.ts'
import { loadZone, type TimeZone } from '../time/time-zone.ts'

/** The points of one series, ordered by instant; those of one instant in the order of the input. */
export interface Observations {
  instants: Float64Array
  values: Float64Array
  /** Number of points with the instant of an earlier one. */
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
 * Converts points to observations. Nulls are gaps and omitted. All points of one instant are kept: they may be of
 * several buildings. A local time skipped by a clock change is omitted for hours, which have no such hour, and kept for
 * days and weeks.
 */
export function parsePoints(points: InputPoint[], zone: TimeZone, frequency: Frequency): Observations {
  const placed: TimedValue[] = []
  const isFirst = createFirstOccurrences(points)
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
    const instant = instantOf(written, zone, isFirst) ?? skipped
    if (instant === undefined) nonexistent += 1
    else placed.push({ instant, value })
  }
  return { ...inOrder(placed), invalid: unreadable, nonexistent }
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

/**
 * Resolves a local time. A time in a repeated hour is at the earlier instant if `isFirst`, otherwise at the later one.
 */
function instantOf(written: ParsedTimestamp, zone: TimeZone, isFirst: (wallMs: number) => boolean): number | undefined {
  if (written.offsetMs !== null) return written.wallMs - written.offsetMs
  const [first, second] = zone.instantsOf(written.wallMs)
  return second === undefined || isFirst(written.wallMs) ? first : second
}

/**
 * Returns a function that decides, for each point in a repeated hour, whether it is of the first occurrence. As many
 * points are as there usually are of one time: one of a single building, two of two buildings.
 */
function createFirstOccurrences(points: readonly InputPoint[]): (wallMs: number) => boolean {
  const counts = new Map<number, number>()
  let usual: number | undefined
  return (wallMs) => {
    usual ??= Math.max(1, Math.round(points.length / new Set(points.map(({ ts }) => ts)).size))
    const count = (counts.get(wallMs) ?? 0) + 1
    counts.set(wallMs, count)
    return count <= usual
  }
}

function inOrder(placed: TimedValue[]): Pick<Observations, 'instants' | 'values' | 'duplicates'> {
  placed.sort((a, b) => a.instant - b.instant)
  const instants = Float64Array.from(placed, ({ instant }) => instant)
  const values = Float64Array.from(placed, ({ value }) => value)
  let duplicates = 0
  for (let i = 1; i < instants.length; i += 1) if (instants[i] === instants[i - 1]) duplicates += 1
  return { instants, values, duplicates }
}
