import type { Frequency, Measure } from '../shapes.ts'
import { median } from '../statistics.ts'
import type { Bucket } from './buckets.ts'
import type { Observations } from './observations.ts'

/** The values of one instant added up, such as those of two buildings, and the instants of each bucket. */
interface Totals {
  instants: number[]
  values: number[]
  /** For each bucket, the index of its first instant; at the end the number of instants. */
  starts: number[]
}

/**
 * Returns a warning if a sum over time is one of a level, such as people present, which counts each of them once per
 * reading: because the level is declared or named, or because the values change as little between readings as a level
 * does. Values of one instant may be added: they are of several places.
 */
export function levelSumWarning(
  observations: Pick<Observations, 'instants' | 'values'>,
  buckets: readonly Bucket[],
  { frequency, measure }: { frequency: Frequency; measure: Measure | undefined },
): string | null {
  if (measure === 'flow') return null
  const totals = totalsOf(observations, buckets)
  const readings = buckets.map((_, index) => (totals.starts[index + 1] ?? 0) - (totals.starts[index] ?? 0))
  if (median(readings) < 2) return null
  if (measure !== 'level' && !(median(readings) >= minReadings && isSmooth(totals.values))) return null
  return describe(totals, readings, frequency)
}

/** With fewer readings a step, hours of the day differ too much to tell a level from a flow. */
const minReadings = 3
/** With fewer pairs of readings the shares below are chance. */
const minPairs = 50
/** Counts below this size on average change by their own size either way. */
const minMeanCount = 5

/**
 * Decides whether values change as little from one reading to the next as a level does. Independent counts of mean m
 * differ by 2 m in the mean square (Poisson), however smooth the mean is; a level keeps most of what was there.
 */
function isSmooth(values: readonly number[]): boolean {
  let [pairs, sizes, changes, squares] = [0, 0, 0, 0]
  for (let index = 1; index < values.length; index += 1) {
    const [before = 0, after = 0] = [values[index - 1], values[index]]
    // A pair with a zero is a closed building, or one that is opened or cleared at once.
    if (before === 0 || after === 0) continue
    pairs += 1
    sizes += Math.abs(before) + Math.abs(after)
    changes += Math.abs(after - before)
    squares += (after - before) ** 2
  }
  if (pairs < minPairs) return false
  if (!values.every(Number.isInteger)) return changes < 0.025 * sizes
  return sizes >= 2 * minMeanCount * pairs && squares < 0.5 * sizes
}

function totalsOf({ instants, values }: Pick<Observations, 'instants' | 'values'>, buckets: readonly Bucket[]): Totals {
  const totals: Totals = { instants: [], values: [], starts: [] }
  for (const { from, to } of buckets) {
    totals.starts.push(totals.instants.length)
    for (let index = from; index < to; index += 1) {
      const [instant = 0, value = 0] = [instants[index], values[index]]
      const last = totals.instants.length - 1
      if (index > from && totals.instants[last] === instant) totals.values[last] = (totals.values[last] ?? 0) + value
      else {
        totals.instants.push(instant)
        totals.values.push(value)
      }
    }
  }
  totals.starts.push(totals.instants.length)
  return totals
}

/** States the arithmetic of the step with the highest sum. */
function describe({ instants, values, starts }: Totals, readings: readonly number[], frequency: Frequency): string {
  const sums = readings.map((count, index) => sumOf(values.slice(starts[index], (starts[index] ?? 0) + count)))
  const highest = sums.reduce((best, sum, index) => (sum > (sums[best] ?? 0) ? index : best), 0)
  const single = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
  const paces = instants.slice(1, maxPaces).map((instant, index) => instant - (instants[index] ?? 0))
  const step = frequency === 'hour' ? 'an hour' : `a ${frequency}`
  return (
    `${readings[highest]} values ${paceText(median(paces))} were added to ${step}: ${figure(sums[highest] ?? 0)} for a ` +
    `highest single value of ${figure(single)}. If the values are a level, such as people present, set \`measure\` to ` +
    '`level` or `aggregation` to `max` or `mean`; if they are a flow, such as arrivals, set `measure` to `flow`.'
  )
}

/** As many intervals as show the usual one. */
const maxPaces = 1_000

function paceText(paceMs: number): string {
  const minutes = Math.round(paceMs / 60_000)
  if (minutes === 0) return 'within seconds'
  if (minutes < 60) return `of ${minutes} minute${minutes === 1 ? '' : 's'}`
  const hours = Math.round(minutes / 60)
  return hours < 24 ? `of ${hours} hour${hours === 1 ? '' : 's'}` : `of ${Math.round(hours / 24)} days`
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
