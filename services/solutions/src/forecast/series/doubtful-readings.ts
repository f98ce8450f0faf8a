import type { Aggregation } from '../shapes.ts'
import type { Observations } from './observations.ts'

/** A warning, and the reason for which nothing should be recommended. */
interface Doubt {
  warning: string
  doubt: string
}

/**
 * With fewer rises, rises alike, or more falls than of a counter that starts again each day, values are no readings of
 * one.
 */
const [fewestRises, fewestDifferentRises] = [50, 5]
const mostFalls = 0.1
/** The share of the value before that a counter that starts again is below. */
const restartShare = 0.2
/** Rows with one time are repeated, and not of several places, if almost all of them have the same value. */
const [fewestRepeated, repeatedShare, fewestValues] = [20, 0.95, 5]

/** Finds readings that add up by themselves, and rows that an input contains more than once. */
export function findDoubtfulReadings(
  { instants, values }: Pick<Observations, 'instants' | 'values'>,
  aggregation: Aggregation,
): Doubt[] {
  if (aggregation === 'count') return []
  const doubts: Doubt[] = []
  if (addUp(instants, values))
    doubts.push({
      warning:
        'The values never fall but to start again, like the readings of a counter that adds up. If they are, forecast ' +
        'the differences between them.',
      doubt: 'its values may be readings that add up',
    })
  const repeated = aggregation === 'sum' ? repeatedRows(instants, values) : 0
  if (repeated > 0)
    doubts.push({
      warning: `${repeated} rows have the time and the value of another one: remove them if they are of exports that overlap.`,
      doubt: 'rows that may be repeated were added',
    })
  return doubts
}

function addUp(instants: Float64Array, values: Float64Array): boolean {
  let [rises, falls, before, sum] = [0, 0, Number.NaN, 0]
  const different = new Set<number>()
  for (let index = 0; index < values.length; index += 1) {
    // Values of one instant are of several places.
    sum += values[index] ?? 0
    if (instants[index + 1] === instants[index]) continue
    if (sum > before) {
      rises += 1
      if (different.size < fewestDifferentRises) different.add(sum - before)
    } else if (sum < before) {
      if (sum > restartShare * before) return false
      falls += 1
    }
    ;[before, sum] = [sum, 0]
  }
  return rises >= fewestRises && different.size >= fewestDifferentRises && falls <= mostFalls * rises
}

function repeatedRows(instants: Float64Array, values: Float64Array): number {
  let [pairs, repeated] = [0, 0]
  const different = new Set<number>()
  for (let index = 1; index < values.length; index += 1) {
    if (instants[index] !== instants[index - 1]) continue
    pairs += 1
    if (values[index] !== values[index - 1]) continue
    repeated += 1
    if (different.size < fewestValues) different.add(values[index] ?? 0)
  }
  const isRepetition = repeated >= fewestRepeated && repeated >= repeatedShare * pairs && different.size >= fewestValues
  return isRepetition ? repeated : 0
}
