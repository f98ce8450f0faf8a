import type { Bucket } from './buckets.ts'
import type { Calendar } from './calendar.ts'
import type { Readings } from './readings.ts'
import type { Zone } from './zone.ts'

/**
 * Which ends of a series are cut off inside a step: the first half of today, the last half hour of the first hour.
 * Found only where readings come at a steady pace faster than the steps, by comparing where in the step readings
 * usually begin and end (of the same slot of the week, so that a short Saturday is not taken for a cut one).
 */
export function partialEnds(
  buckets: Bucket[],
  readings: Readings,
  calendar: Calendar,
  zone: Zone,
): { first: boolean; last: boolean } {
  const paceMs = paceOf(readings.instants)
  const lengthMs = calendar.startOf(1) - calendar.startOf(0)
  const first = buckets[0]
  const last = buckets.at(-1)
  if (!first || !last || paceMs === null || paceMs >= lengthMs) return { first: false, last: false }

  const offset = (bucket: Bucket, index: number): number => {
    const instant = readings.instants[index] ?? bucket.step.startMs
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

/** The time from one reading to the next, where at least 60 % of readings keep to it; else null. */
function paceOf(instants: Float64Array): number | null {
  const counts = new Map<number, number>()
  for (let i = 1; i < instants.length; i += 1) {
    const between = (instants[i] ?? 0) - (instants[i - 1] ?? 0)
    counts.set(between, (counts.get(between) ?? 0) + 1)
  }
  const [pace, count] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])
  return count > 0 && count >= 0.6 * (instants.length - 1) ? pace : null
}

function middleOf(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
