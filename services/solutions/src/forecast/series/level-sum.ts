import type { Frequency, Measure } from '../shapes.ts'
import { median } from '../statistics.ts'
import type { TimeZone } from '../time/time-zone.ts'
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
  { frequency, measure, zone }: { frequency: Frequency; measure: Measure | undefined; zone: TimeZone },
): string | null {
  if (measure === 'flow') return null
  const totals = totalsOf(observations, buckets)
  const readings = buckets.map((_, index) => (totals.starts[index + 1] ?? 0) - (totals.starts[index] ?? 0))
  if (median(readings) < 2) return null
  if (measure !== 'level' && !stays(totals, zone)) return null
  return describe(totals, readings, frequency)
}

/** With fewer pairs of readings the shares below are chance. */
const minPairs = 50
/** Counts below this size on average change by their own size either way. */
const minMeanCount = 5
/** The longest time between two readings of the same people. */
const maxPaceMs = 4 * 3_600_000
const [dayMs, weekMs] = [86_400_000, 604_800_000]

/**
 * Decides whether counts keep from one reading to the next most of what was there, as a level does. What a building
 * does every week is removed first: each change is compared with that of a week before, in proportion to the totals of
 * the two days. The changes of independent counts then differ by their sum in the mean square (Poisson). Quantities
 * that are not counted, such as temperatures, must hardly change at all.
 */
function stays({ instants, values }: Totals, zone: TimeZone): boolean {
  const walls = instants.map((instant) => instant + zone.offsetAt(instant))
  const positions = new Map(walls.map((wall, index) => [wall, index]))
  const days = new Map<number, number>()
  const dayOf = (wall: number): number => Math.floor(wall / dayMs)
  for (const [index, wall] of walls.entries())
    days.set(dayOf(wall), (days.get(dayOf(wall)) ?? 0) + (values[index] ?? 0))
  let [pairs, sizes, changes, squares, expected] = [0, 0, 0, 0, 0]
  for (const [index, wall] of walls.entries()) {
    const last = positions.get(wall - weekMs) ?? 0
    const pace = wall - (walls[index - 1] ?? Number.NaN)
    if (!(pace <= maxPaceMs && pace === wall - weekMs - (walls[last - 1] ?? 0))) continue
    const [before = 0, after = 0, lastBefore = 0, lastAfter = 0] = [
      ...values.slice(index - 1, index + 1),
      ...values.slice(last - 1, last + 1),
    ]
    const ratio = (days.get(dayOf(wall)) ?? 0) / (days.get(dayOf(wall - weekMs)) ?? 0)
    // A closed building, one that is opened or cleared at once, or a day that is not comparable.
    if (before * after * lastBefore * lastAfter === 0 || !(ratio > 0.5 && ratio < 2)) continue
    pairs += 1
    sizes += Math.abs(before) + Math.abs(after)
    changes += Math.abs(after - before)
    squares += (after - before - ratio * (lastAfter - lastBefore)) ** 2
    expected += before + after + ratio ** 2 * (lastBefore + lastAfter)
  }
  if (!values.every(Number.isInteger)) return pairs >= minPairs && changes < 0.025 * sizes
  // People who all come at one time differ as little, but their count is not near that before.
  return pairs >= minPairs && sizes >= 2 * minMeanCount * pairs && changes < 0.35 * sizes && squares < 0.4 * expected
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
