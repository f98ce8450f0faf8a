import { parseTimestamp } from '@wp/tabular'
import type { Frequency, InputPoint } from '../shapes.ts'
import type { TimeZone } from '../time/time-zone.ts'
import type { MainTimes } from './stray-times.ts'

/** The points that have a value, as they are written: times of the wall clock, or with an offset. */
export interface WrittenPoints {
  wallMs: Float64Array
  /** The offset from UTC; NaN for a local time. */
  offsetMs: Float64Array
  values: Float64Array
  /** Number of points without a value. */
  empty: number
  /** Number of invalid timestamps. */
  unreadable: number
}

/** The points of one series, ordered by instant; those of one instant in the order of the input. */
export interface Observations {
  instants: Float64Array
  values: Float64Array
  /** Number of points with the instant of an earlier one. */
  duplicates: number
  /** The local times that a clock change skips; null without any. */
  nonexistent: NonexistentTimes | null
}

export interface NonexistentTimes {
  count: number
  /** Those with another value than 0: without them the series has less than was measured. */
  lost: number
  firstWallMs: number
}

/** Parses the times of points. Nulls are gaps and omitted. */
export function parsePoints(points: readonly InputPoint[]): WrittenPoints {
  const wallMs = new Float64Array(points.length)
  const offsetMs = new Float64Array(points.length)
  const values = new Float64Array(points.length)
  let [length, empty, unreadable] = [0, 0, 0]
  for (const { ts, value } of points) {
    if (value === null || !Number.isFinite(value)) {
      empty += 1
      continue
    }
    const written = parseTimestamp(ts)
    if (!written) {
      unreadable += 1
      continue
    }
    wallMs[length] = written.wallMs
    offsetMs[length] = written.offsetMs ?? Number.NaN
    values[length] = value
    length += 1
  }
  const cut = (array: Float64Array): Float64Array => array.subarray(0, length)
  return { wallMs: cut(wallMs), offsetMs: cut(offsetMs), values: cut(values), empty, unreadable }
}

/**
 * Converts points of the main times to observations. All points of one instant are kept: they may be of several
 * buildings. A local time skipped by a clock change is omitted for hours, which have no such hour, and kept for days
 * and weeks.
 */
export function placePoints(
  { wallMs, offsetMs, values }: WrittenPoints,
  { fromMs, toMs }: MainTimes,
  zone: TimeZone,
  frequency: Frequency,
): Observations {
  const placed: { instant: number; value: number }[] = []
  const isFirst = createFirstOccurrences(wallMs)
  let nonexistent: NonexistentTimes | null = null
  for (const [index, wall] of wallMs.entries()) {
    if (wall < fromMs || wall > toMs) continue
    const [offset = Number.NaN, value = 0] = [offsetMs[index], values[index]]
    const skipped = frequency === 'hour' ? undefined : wall - zone.offsetAt(wall - 86_400_000)
    const instant = Number.isNaN(offset) ? (instantOf(wall, zone, isFirst) ?? skipped) : wall - offset
    if (instant === undefined) {
      nonexistent ??= { count: 0, lost: 0, firstWallMs: wall }
      nonexistent.count += 1
      nonexistent.lost += value === 0 ? 0 : 1
    } else placed.push({ instant, value })
  }
  return { ...inOrder(placed), nonexistent }
}

/**
 * Resolves a local time. A time in a repeated hour is at the earlier instant if `isFirst`, otherwise at the later one.
 */
function instantOf(wallMs: number, zone: TimeZone, isFirst: (wallMs: number) => boolean): number | undefined {
  const [first, second] = zone.instantsOf(wallMs)
  return second === undefined || isFirst(wallMs) ? first : second
}

/**
 * Returns a function that decides, for each point in a repeated hour, whether it is of the first occurrence. As many
 * points are as there usually are of one time: one of a single building, two of two buildings.
 */
function createFirstOccurrences(wallMs: Float64Array): (wallMs: number) => boolean {
  const counts = new Map<number, number>()
  let usual: number | undefined
  return (wall) => {
    usual ??= Math.max(1, Math.round(wallMs.length / new Set(wallMs).size))
    const count = (counts.get(wall) ?? 0) + 1
    counts.set(wall, count)
    return count <= usual
  }
}

function inOrder(
  placed: { instant: number; value: number }[],
): Pick<Observations, 'instants' | 'values' | 'duplicates'> {
  placed.sort((a, b) => a.instant - b.instant)
  const instants = Float64Array.from(placed, ({ instant }) => instant)
  const values = Float64Array.from(placed, ({ value }) => value)
  let duplicates = 0
  for (let i = 1; i < instants.length; i += 1) if (instants[i] === instants[i - 1]) duplicates += 1
  return { instants, values, duplicates }
}
