import { type Calendar, type Step, stepAt } from './calendar.ts'
import type { Readings } from './readings.ts'
import type { Aggregation } from './shapes.ts'
import type { Zone } from './zone.ts'

/** One step that has readings: those from index `from` up to `to`. */
export interface Bucket {
  step: Step
  from: number
  to: number
}

/** Sorts readings into the steps of the wall clock. Steps with none do not appear. */
export function bucketsOf(readings: Readings, calendar: Calendar, zone: Zone): Bucket[] {
  const buckets: Bucket[] = []
  readings.instants.forEach((instant, index) => {
    const step = stepAt(calendar, zone, instant)
    const current = buckets.at(-1)
    if (current && current.step.startMs === step.startMs) current.to = index + 1
    else buckets.push({ step, from: index, to: index + 1 })
  })
  return buckets
}

/** Combines the readings of one bucket. */
export function aggregate(values: Float64Array, { from, to }: Bucket, aggregation: Aggregation): number {
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

/** Keeps what follows the last hole of more than `longest` cells: what a series was before says little about now. */
export function afterLastHole(buckets: Bucket[], longest: number): Bucket[] {
  const start = buckets.findLastIndex((bucket, index) => {
    const before = buckets[index - 1]
    return before !== undefined && bucket.step.cell - before.step.cell > longest
  })
  return start > 0 ? buckets.slice(start) : buckets
}
