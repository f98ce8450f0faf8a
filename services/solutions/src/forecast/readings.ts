import type { Frequency, InputPoint } from './shapes.ts'
import { readTimestamp, type WrittenTime } from './timestamps.ts'
import { readZone, type Zone } from './zone.ts'

/** The points of one series, each at its instant, in order, one per instant. */
export interface Readings {
  instants: Float64Array
  values: Float64Array
  duplicates: number
  /** Timestamps that could not be read. */
  unreadable: number
  /** Local times the clock skipped. */
  nonexistent: number
}

interface Placed {
  instant: number
  value: number
}

/**
 * Reads timestamps as instants. Nulls are gaps, so they are left out here. Of two values for one instant the later in
 * the input stands. A local time the clock skipped is dropped from hours, which have no such hour, and kept for days and weeks.
 */
export function readPoints(points: InputPoint[], zone: Zone, frequency: Frequency): Readings {
  const placed: Placed[] = []
  const repeated = new Set<number>()
  let unreadable = 0
  let nonexistent = 0
  for (const { ts, value } of points) {
    if (value === null || !Number.isFinite(value)) continue
    const written = readTimestamp(ts)
    if (!written) {
      unreadable += 1
      continue
    }
    const skipped = frequency === 'hour' ? undefined : written.wallMs - zone.offsetAt(written.wallMs - 86_400_000)
    const instant = instantOf(written, zone, repeated) ?? skipped
    if (instant === undefined) nonexistent += 1
    else placed.push({ instant, value })
  }
  return { ...onePerInstant(placed), unreadable, nonexistent }
}

/** The zone over the span the points cover, with room to forecast `horizonMs` beyond. */
export function zoneFor(points: InputPoint[], timezone: string, horizonMs: number): Zone {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const wallMs = readTimestamp(point.ts)?.wallMs
    if (wallMs === undefined) continue
    if (wallMs < from) from = wallMs
    if (wallMs > to) to = wallMs
  }
  return from <= to ? readZone(timezone, from, to + horizonMs) : readZone(timezone, 0, 0)
}

/** The repeated hour of autumn written without offset: a local time's first mention is the earlier one, its second the later. */
function instantOf(written: WrittenTime, zone: Zone, repeated: Set<number>): number | undefined {
  if (written.offsetMs !== null) return written.wallMs - written.offsetMs
  const [first, second] = zone.instantsOf(written.wallMs)
  if (second === undefined) return first
  if (repeated.has(written.wallMs)) return second
  repeated.add(written.wallMs)
  return first
}

function onePerInstant(placed: Placed[]): Pick<Readings, 'instants' | 'values' | 'duplicates'> {
  // The sort is stable: of equal instants the later in the input comes last.
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
