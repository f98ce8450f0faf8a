import type { Calendar } from '../time/calendar.ts'
import type { TimeZone } from '../time/time-zone.ts'
import type { Bucket } from './buckets.ts'
import type { Observations } from './observations.ts'

/**
 * Detects first and last steps that are incomplete, such as today. Works only if observations are evenly spaced and
 * more frequent than steps: compares where observations usually begin and end within a step of the same slot of the
 * week, so that a short Saturday is not taken for an incomplete one.
 */
export function findPartialEnds(
  buckets: Bucket[],
  observations: Observations,
  calendar: Calendar,
  zone: TimeZone,
): { first: boolean; last: boolean } {
  const paceMs = samplingIntervalMs(observations.instants)
  const lengthMs = calendar.startOf(1) - calendar.startOf(0)
  const first = buckets[0]
  const last = buckets.at(-1)
  if (!first || !last || paceMs === null || paceMs >= lengthMs) return { first: false, last: false }

  const offset = (bucket: Bucket, index: number): number => {
    const instant = observations.instants[index] ?? bucket.step.startMs
    return instant + zone.offsetAt(instant) - calendar.startOf(bucket.step.cell)
  }
  const begins = (bucket: Bucket): number => offset(bucket, bucket.from)
  const ends = (bucket: Bucket): number => offset(bucket, bucket.to - 1)
  const usual = (end: Bucket, position: (bucket: Bucket) => number, otherwise: number): number => {
    const inner = buckets.slice(1, -1)
    const alike = inner.filter(({ step }) => calendar.slotOf(step.cell) === calendar.slotOf(end.step.cell))
    const compared = alike.length >= 2 ? alike : inner
    return compared.length >= 2 ? middleOf(compared.map(position)) : otherwise
  }
  return {
    first: begins(first) > usual(first, begins, 0) + paceMs / 2,
    last: ends(last) < usual(last, ends, lengthMs - paceMs) - paceMs / 2,
  }
}

/** Returns the most frequent time between different instants, or null if fewer than 60 % of them have it. */
function samplingIntervalMs(instants: Float64Array): number | null {
  const counts = new Map<number, number>()
  let intervals = 0
  for (let i = 1; i < instants.length; i += 1) {
    const between = (instants[i] ?? 0) - (instants[i - 1] ?? 0)
    if (between === 0) continue
    intervals += 1
    counts.set(between, (counts.get(between) ?? 0) + 1)
  }
  const [pace, count] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])
  return count > 0 && count >= 0.6 * intervals ? pace : null
}

function middleOf(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
