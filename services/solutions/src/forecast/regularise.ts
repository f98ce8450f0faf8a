import { afterLastHole, aggregate, type Bucket, bucketsOf } from './buckets.ts'
import { type Calendar, calendarOf, type Step, stepAfter } from './calendar.ts'
import { type Grid, gridOf } from './grid.ts'
import { partialEnds } from './partial.ts'
import { type Readings, readPoints, zoneFor } from './readings.ts'
import type { DataQuality, ForecastInput, InputSeries } from './shapes.ts'
import type { Zone } from './zone.ts'

/** A series as models want it: every step of the wall clock there, in order, none partial, none missing. */
export interface RegularSeries {
  calendar: Calendar
  zone: Zone
  steps: Step[]
  grid: Grid
  quality: DataQuality
  warnings: string[]
}

const stepMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
/** The longest hole that is filled; see `afterLastHole`. */
const longestHole = { hour: 56 * 24, day: 182, week: 104 }

/** Buckets, aggregates and fills one series. Where nothing can be read the result has no steps. */
export function regularise(
  series: InputSeries,
  {
    frequency,
    aggregation,
    timezone,
    horizon,
  }: Pick<ForecastInput, 'frequency' | 'aggregation' | 'timezone' | 'horizon'>,
): RegularSeries {
  const zone = zoneFor(series.points, timezone, (horizon + 1) * stepMs[frequency])
  const rough = calendarOf(frequency)
  const readings = readPoints(series.points, zone, frequency)
  const warnings = readingWarnings(readings)
  const buckets = wholeBuckets(readings, rough, zone, warnings)
  const steps = stepsBetween(buckets, rough, zone)
  const values = valuesOf(steps, buckets, readings, aggregation)
  const gaps = steps.length - buckets.length
  if (gaps > 0.3 * steps.length) {
    const share = Math.round((100 * gaps) / steps.length)
    warnings.push(`${share} % of the ${frequency}s have no value and were filled in; treat the forecast with care.`)
  }
  const calendar = calendarOf(frequency, steps.length)
  const grid = gridOf(steps, values, calendar, aggregation)
  const quality = { length: steps.length, gaps, duplicates: readings.duplicates, imputed: gaps }
  return { calendar, zone, steps, grid, quality, warnings }
}

function wholeBuckets(readings: Readings, calendar: Calendar, zone: Zone, warnings: string[]): Bucket[] {
  const { frequency } = calendar
  const all = bucketsOf(readings, calendar, zone)
  const partial = partialEnds(all, readings, calendar, zone)
  for (const end of ['first', 'last'] as const) {
    const start = all.at(end === 'first' ? 0 : -1)?.step.startMs
    if (!partial[end] || start === undefined) continue
    warnings.push(`The ${end} ${frequency} (${new Date(start).toISOString()}) is incomplete and was left out.`)
  }
  const whole = all.slice(partial.first ? 1 : 0, partial.last ? -1 : undefined)
  const recent = afterLastHole(whole, longestHole[frequency])
  if (recent.length < whole.length) {
    const start = new Date(recent[0]?.step.startMs ?? 0).toISOString()
    warnings.push(`Only values from ${start} on were used: a long stretch before has none.`)
  }
  return recent
}

function stepsBetween(buckets: Bucket[], calendar: Calendar, zone: Zone): Step[] {
  const first = buckets[0]?.step
  const last = buckets.at(-1)?.step
  if (!first || !last) return []
  const steps = [first]
  for (let step = first; step.startMs < last.startMs; ) {
    step = stepAfter(calendar, zone, step)
    steps.push(step)
  }
  return steps
}

/** NaN where a step has no bucket. */
function valuesOf(
  steps: Step[],
  buckets: Bucket[],
  readings: Readings,
  aggregation: ForecastInput['aggregation'],
): Float64Array {
  const values = new Float64Array(steps.length).fill(Number.NaN)
  let next = 0
  steps.forEach((step, index) => {
    const bucket = buckets[next]
    if (bucket?.step.startMs !== step.startMs) return
    values[index] = aggregate(readings.values, bucket, aggregation)
    next += 1
  })
  return values
}

function readingWarnings({ unreadable, nonexistent, duplicates }: Readings): string[] {
  const warnings: string[] = []
  if (unreadable > 0) warnings.push(`${unreadable} timestamps could not be read and were left out.`)
  if (nonexistent > 0) {
    warnings.push(`${nonexistent} local times do not exist (the clock skips them in spring) and were left out.`)
  }
  if (duplicates > 0) warnings.push(`${duplicates} values repeat a timestamp; the last one of each was used.`)
  return warnings
}
