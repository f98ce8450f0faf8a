import type { Aggregation, DataQuality, ForecastInput, Frequency, InputSeries, RowUsage } from '../shapes.ts'
import { quantile } from '../statistics.ts'
import { type Calendar, calendarOf, daysOf, localTimeOf, type Step, stepAfter } from '../time/calendar.ts'
import { loadZone, type TimeZone } from '../time/time-zone.ts'
import { afterLastLongGap, aggregate, type Bucket, findPartialEnds, groupIntoBuckets } from './buckets.ts'
import { findDoubtfulReadings } from './doubtful-readings.ts'
import { buildGrid, type ClosedTimes, type Grid } from './grid.ts'
import { levelSumWarning } from './level-sum.ts'
import { type Observations, parsePoints, placePoints, type WrittenPoints } from './observations.ts'
import { readingWarnings } from './reading-warnings.ts'
import { describeSentinel, findSentinel, type Sentinel } from './sentinel.ts'
import { describeStrays, findMainTimes, type MainTimes } from './stray-times.ts'
import { leaveOutUnusual, sinceOpening } from './unusual/unusual-values.ts'

/** A series on a regular grid: all steps in order, none partial, none missing. */
export interface RegularSeries {
  calendar: Calendar
  zone: TimeZone
  steps: Step[]
  /** The value of each step, also those of closures, which the forecast does not rest on; NaN without one. */
  shown: Float64Array
  grid: Grid
  quality: DataQuality
  usage: RowUsage
  warnings: string[]
  /** The reason for which nothing should be recommended from the series; null if there is none. */
  doubt: string | null
}

const stepMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }
/** The longest gap, in cells, that is filled; see `afterLastLongGap`. */
const maxGap = { hour: 56 * 24, day: 182, week: 104 }
/** The longest time without any row that a count takes for a time without events, in cells. */
const maxQuiet = { hour: 14 * 24, day: 14, week: 2 }

/** The share of steps with the same number of rows from which on a table has a row for each step. */
const usualRows = 0.9
/** The share of its highest values that a level of people is below at times, and the values that show it. */
const [lowShare, fewestLevels] = [0.25, 24]
/** The shares of steps with imputed values that are worth a warning, and too many for a recommendation. */
const [manyFilled, mostFilled] = [0.3, 0.5]

/** Buckets, aggregates and fills one series. The result has no steps if no point is valid. */
export function regularize(
  series: InputSeries,
  options: Pick<ForecastInput, 'frequency' | 'aggregation' | 'timezone' | 'horizon' | 'holidays' | 'calendar'>,
): RegularSeries {
  const { frequency, aggregation, timezone, horizon, holidays, calendar: named = [] } = options
  const written = parsePoints(series.points)
  const main = findMainTimes(written.wallMs)
  const zone = zoneOf(main, timezone, (horizon + 1) * stepMs[frequency])
  const rough = calendarOf(frequency)
  const observations = placePoints(written, main, zone, frequency)
  const doubtful = findDoubtfulReadings(observations, aggregation)
  const warnings = [
    ...describeStrays(main),
    ...readingWarnings(written.unreadable, observations, aggregation),
    ...doubtful.map(({ warning }) => warning),
  ]
  const buckets = wholeBuckets(observations, rough, zone, warnings)
  const levelWarning =
    aggregation === 'sum' ? levelSumWarning(observations, buckets, { frequency, measure: series.measure, zone }) : null
  if (levelWarning !== null) warnings.push(levelWarning)
  const sentinel = aggregation === 'count' ? null : findSentinel(observations.values)
  if (sentinel !== null) warnings.push(describeSentinel(sentinel))
  const allSteps = stepsBetween(buckets, rough, zone)
  const measured = valuesOf(allSteps, buckets, observations, options)
  const closed = daysOf(series.closedDates)
  const open = sinceOpening(
    { steps: allSteps, values: sentinel === null ? measured : measured.map((value) => Math.max(value, 0)) },
    rough,
  )
  const { steps } = open
  const { values, shown, outliers, silent, ...usual } = leaveOutUnusual(open, rough, {
    closed,
    named: daysOf([...(holidays ?? []), ...named.flatMap(({ dates }) => dates)]),
  })
  warnings.push(...open.warnings, ...usual.warnings)
  const calendar = calendarOf(frequency, steps.length)
  const gaps = shown.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0)
  const grid = buildGrid(steps, values, calendar, closedTimesOf(values, buckets, aggregation), closed)
  const filled = Math.min(gaps, grid.filled) / Math.max(1, steps.length)
  if (filled > manyFilled) warnings.push(describeFilled(filled, frequency))
  const quality = { length: steps.length, gaps, duplicates: observations.duplicates, imputed: gaps }
  const usage = usageOf(series, written, main, observations)
  return {
    calendar,
    zone,
    steps,
    shown,
    grid,
    quality,
    usage,
    warnings,
    doubt: series.mayLackRows
      ? lostRows
      : (doubtOf(usage, { sentinel, isLevelSum: levelWarning !== null, silent, outliers, filled }) ??
        doubtful[0]?.doubt ??
        null),
  }
}

const describeFilled = (share: number, frequency: Frequency): string =>
  `${Math.round(100 * share)} % of the ${frequency}s have no value and were filled in like those around; treat the forecast with care.`

const zoneOf = ({ fromMs, toMs }: MainTimes, timezone: string, horizonMs: number): TimeZone =>
  fromMs <= toMs ? loadZone(timezone, fromMs, toMs + horizonMs) : loadZone(timezone, 0, 0)

function usageOf(
  { points, unusableRows = 0 }: InputSeries,
  { empty, unreadable }: WrittenPoints,
  { before, after }: MainTimes,
  { nonexistent }: Observations,
): RowUsage {
  const read = points.length + unusableRows
  const lost = unusableRows + unreadable + (before?.count ?? 0) + (after?.count ?? 0) + (nonexistent?.lost ?? 0)
  const used = read - empty - lost
  const usable_share = read === empty ? 1 : used / (read - empty)
  return { rows_read: read, rows_empty: empty, rows_used: used, usable_share }
}

/**
 * Sums and numbers of rows are 0 at closed times, and so are levels that are low at times, as people present are. Steps
 * that differ in their number of rows make a log: one row is one event, or a part of the sum.
 */
function closedTimesOf(values: Float64Array, buckets: readonly Bucket[], aggregation: Aggregation): ClosedTimes {
  if (aggregation !== 'sum' && aggregation !== 'count') {
    const present = values.filter((value) => !Number.isNaN(value)).sort()
    const isLow = quantile(present, 0.05) <= lowShare * quantile(present, 0.95)
    return isLow && present.length >= fewestLevels ? 'table' : 'none'
  }
  const sizes = [...Map.groupBy(buckets, ({ from, to }) => to - from).values()].map(({ length }) => length)
  return Math.max(0, ...sizes) < usualRows * buckets.length ? 'log' : 'table'
}

const lostRows = 'some of its rows could not be used'

interface Doubts {
  sentinel: Sentinel | null
  isLevelSum: boolean
  silent: number
  outliers: number
  filled: number
}

function doubtOf(
  { usable_share: share }: RowUsage,
  { sentinel, isLevelSum, silent, outliers, filled }: Doubts,
): string | null {
  if (share < 1) return lostRows
  if (sentinel !== null) return `the value ${sentinel.value} may stand for no value`
  if (outliers > 0) return 'values far above all others were left out'
  if (silent > 0) return 'its last values may not have been counted'
  if (filled > mostFilled) return 'most of its values were filled in'
  return isLevelSum ? 'its sums may count the same people several times' : null
}

function wholeBuckets(observations: Observations, calendar: Calendar, zone: TimeZone, warnings: string[]): Bucket[] {
  const { frequency } = calendar
  const all = groupIntoBuckets(observations, calendar, zone)
  const partial = findPartialEnds(all, observations, calendar, zone)
  for (const end of ['first', 'last'] as const) {
    const step = all.at(end === 'first' ? 0 : -1)?.step
    if (!partial[end] || step === undefined) continue
    warnings.push(`The ${end} ${frequency} (${localTimeOf(calendar, step.cell)}) is incomplete and was left out.`)
  }
  const whole = all.slice(partial.first ? 1 : 0, partial.last ? -1 : undefined)
  const recent = afterLastLongGap(whole, maxGap[frequency])
  if (recent.length < whole.length) {
    const start = localTimeOf(calendar, recent[0]?.step.cell ?? 0)
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

/** NaN where a step has no bucket; a count is 0 there, unless a long time has no rows at all. */
function valuesOf(
  steps: Step[],
  buckets: Bucket[],
  observations: Observations,
  { aggregation, frequency }: Pick<ForecastInput, 'aggregation' | 'frequency'>,
): Float64Array {
  const values = new Float64Array(steps.length).fill(Number.NaN)
  let next = 0
  steps.forEach((step, index) => {
    const bucket = buckets[next]
    if (bucket === undefined) return
    if (bucket.step.startMs === step.startMs) {
      values[index] = aggregate(observations.values, bucket, aggregation)
      next += 1
      return
    }
    const quiet = bucket.step.cell - (buckets[next - 1]?.step.cell ?? bucket.step.cell)
    if (aggregation === 'count' && quiet <= maxQuiet[frequency]) values[index] = 0
  })
  return values
}
