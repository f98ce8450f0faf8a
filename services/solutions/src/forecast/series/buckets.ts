import type { Aggregation } from '../shapes.ts'
import { type Calendar, type Step, stepAt } from '../time/calendar.ts'
import type { TimeZone } from '../time/time-zone.ts'
import type { Observations } from './observations.ts'

/** A step with observations: those from index `from` up to, excluding, `to`. */
export interface Bucket {
  step: Step
  from: number
  to: number
}

/** Groups observations by step of the wall clock. Steps without observations are omitted. */
export function groupIntoBuckets(observations: Observations, calendar: Calendar, zone: TimeZone): Bucket[] {
  const buckets: Bucket[] = []
  observations.instants.forEach((instant, index) => {
    const step = stepAt(calendar, zone, instant)
    const current = buckets.at(-1)
    if (current && current.step.startMs === step.startMs) current.to = index + 1
    else buckets.push({ step, from: index, to: index + 1 })
  })
  return buckets
}

/** Combines the observations of one bucket. */
export function aggregate(values: Float64Array, { from, to }: Bucket, aggregation: Aggregation): number {
  if (aggregation === 'count') return to - from
  let sum = 0
  let max = Number.NEGATIVE_INFINITY
  for (let i = from; i < to; i += 1) {
    const value = values[i] ?? 0
    sum += value
    if (value > max) max = value
  }
  if (aggregation === 'mean') return sum / (to - from)
  if (aggregation === 'max') return max
  return aggregation === 'last' ? (values[to - 1] ?? 0) : sum
}

/** Returns the buckets after the last gap of more than `longest` cells: older values say little about the present. */
export function afterLastLongGap(buckets: Bucket[], longest: number): Bucket[] {
  const start = buckets.findLastIndex((bucket, index) => {
    const before = buckets[index - 1]
    return before !== undefined && bucket.step.cell - before.step.cell > longest
  })
  return start > 0 ? buckets.slice(start) : buckets
}

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
