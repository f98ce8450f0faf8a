import { parseDates } from '../parse-dates.ts'
import type { Aggregation, DataQuality, ForecastInput, InputSeries } from '../shapes.ts'
import { type Calendar, calendarOf, type Step, stepAfter } from '../time/calendar.ts'
import type { TimeZone } from '../time/time-zone.ts'
import { afterLastLongGap, aggregate, type Bucket, groupIntoBuckets } from './buckets.ts'
import { buildGrid, type Grid } from './grid.ts'
import { type Observations, parsePoints, zoneFor } from './observations.ts'
import { findPartialEnds } from './partial-ends.ts'

/** A series on a regular grid: all steps in order, none partial, none missing. */
export interface RegularSeries {
  calendar: Calendar
  zone: TimeZone
  steps: Step[]
  grid: Grid
  quality: DataQuality
  warnings: string[]
}

const stepMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
/** The longest gap, in cells, that is filled; see `afterLastLongGap`. */
const maxGap = { hour: 56 * 24, day: 182, week: 104 }

/** Buckets, aggregates and fills one series. The result has no steps if no point is valid. */
export function regularize(
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
  const observations = parsePoints(series.points, zone, frequency)
  const warnings = readingWarnings(observations, aggregation)
  const buckets = wholeBuckets(observations, rough, zone, warnings)
  const steps = stepsBetween(buckets, rough, zone)
  const values = valuesOf(steps, buckets, observations, aggregation)
  const gaps = steps.length - buckets.length
  if (gaps > 0.3 * steps.length) {
    const share = Math.round((100 * gaps) / steps.length)
    warnings.push(`${share} % of the ${frequency}s have no value and were filled in; treat the forecast with care.`)
  }
  const calendar = calendarOf(frequency, steps.length)
  const grid = buildGrid(steps, values, calendar, aggregation, parseDates(series.closedDates))
  const quality = { length: steps.length, gaps, duplicates: observations.duplicates, imputed: gaps }
  return { calendar, zone, steps, grid, quality, warnings }
}

function wholeBuckets(observations: Observations, calendar: Calendar, zone: TimeZone, warnings: string[]): Bucket[] {
  const { frequency } = calendar
  const all = groupIntoBuckets(observations, calendar, zone)
  const partial = findPartialEnds(all, observations, calendar, zone)
  for (const end of ['first', 'last'] as const) {
    const start = all.at(end === 'first' ? 0 : -1)?.step.startMs
    if (!partial[end] || start === undefined) continue
    warnings.push(`The ${end} ${frequency} (${new Date(start).toISOString()}) is incomplete and was left out.`)
  }
  const whole = all.slice(partial.first ? 1 : 0, partial.last ? -1 : undefined)
  const recent = afterLastLongGap(whole, maxGap[frequency])
  if (recent.length < whole.length) {
    const start = new Date(recent[0]?.step.startMs ?? 0).toISOString()
    warnings.push(`Only values from ${start} on were used: there is a long gap before.`)
  }
  return recent
}

function stepsBetween(buckets: Bucket[], calendar: Calendar, zone: TimeZone): Step[] {
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
  observations: Observations,
  aggregation: Aggregation,
): Float64Array {
  const values = new Float64Array(steps.length).fill(Number.NaN)
  let next = 0
  steps.forEach((step, index) => {
    const bucket = buckets[next]
    if (bucket?.step.startMs !== step.startMs) return
    values[index] = aggregate(observations.values, bucket, aggregation)
    next += 1
  })
  return values
}

/** States what became of values that have one timestamp. */
const duplicateUse: Record<Aggregation, string> = {
  sum: 'all were added',
  mean: 'all were averaged',
  max: 'the highest of them was used',
  last: 'the last of them in the input was used',
}

function readingWarnings(
  { invalid: unreadable, nonexistent, duplicates }: Observations,
  aggregation: Aggregation,
): string[] {
  const warnings: string[] = []
  if (unreadable > 0) warnings.push(`${unreadable} timestamps could not be read and were left out.`)
  if (nonexistent > 0) {
    warnings.push(`${nonexistent} local times do not exist (the clock skips them in spring) and were left out.`)
  }
  if (duplicates > 0)
    warnings.push(`${duplicates} values have the timestamp of another one; ${duplicateUse[aggregation]}.`)
  return warnings
}
