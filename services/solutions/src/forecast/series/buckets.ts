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
