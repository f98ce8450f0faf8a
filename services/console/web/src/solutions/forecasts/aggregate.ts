import type { Aggregation, Frequency } from './run-input.ts'
import { parseInstant, startOfStep, zonedTime } from './zoned-time.ts'

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
