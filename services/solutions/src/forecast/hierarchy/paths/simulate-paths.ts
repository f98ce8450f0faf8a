import { type LeafErrors, weekDays } from './error-model.ts'
import type { Random } from './random.ts'

export interface SimulatedLeaf {
  errors: LeafErrors
  mean: Float64Array
  isNonNegative: boolean
  /** 1 for a special day. */
  isSpecial: Uint8Array
}

/** A remainder that can be negative, and the other leaves below its parent, whose sum it must not exceed. */
export interface SignedRemainder {
  leaf: number
  others: number[]
}

interface SimulationOptions {
  count: number
  /** Number of independent folds that the errors are of. */
  independent: number
  remainders: readonly SignedRemainder[]
  random: Random
}

/** Whole numbers up to this one are exact in single precision. */
const exact = 2 ** 24
const finest = 16

/**
 * Simulates paths of all leaves together, which have the errors of the backtest with their dependence between leaves
 * and days. The errors of levels, week by week, are sums of those of all folds with normal weights, which have exactly
 * their covariance (the wild bootstrap; Mammen 1993) and, since folds are few, the tails of Student's distribution. To
 * each week come the daily errors of a random week of a random fold (block bootstrap; Künsch 1989), and to a special
 * day those of a random special day. All leaves share the weights, weeks and days, so that sums of leaves have the
 * errors of sums (Panagiotelis et al. 2023).
 *
 * Values are not below 0, and the mean of the paths is the mean forecast.
 * @returns the value of a path on a day at `(leaf * horizon + day) * count + path`, a multiple of a power of two
 */
export function simulatePaths(leaves: readonly SimulatedLeaf[], options: SimulationOptions): Float32Array {
  const { count, remainders } = options
  const horizon = leaves[0]?.mean.length ?? 0
  const draws = drawErrors(leaves, horizon, options)
  const values = new Float32Array(leaves.length * horizon * count)
  leaves.forEach((leaf, number) => {
    const start = number * horizon * count
    simulateLeaf(leaf, draws, values.subarray(start, start + horizon * count), count)
  })
  for (const { leaf, others } of remainders) boundRemainder(values, leaf, others, horizon * count)
  roundValues(values, horizon * count)
  return values
}

/** For each path: the weights of the folds, a fold and a week of it for each week, and a special day for each day. */
interface Draws {
  weights: Float64Array[]
  folds: Uint8Array[]
  weeks: Uint8Array[]
  specialDays: { fold: number; day: number }[][]
}

function drawErrors(
  leaves: readonly SimulatedLeaf[],
  horizon: number,
  { count, independent, random }: SimulationOptions,
): Draws {
  const folds = leaves[0]?.errors.days.length ?? 0
  const weeks = Math.ceil(horizon / weekDays)
  const wholeWeeks = Math.max(1, Math.floor(horizon / weekDays))
  const special = commonSpecialDays(leaves, folds, horizon)
  const draws: Draws = { weights: [], folds: [], weeks: [], specialDays: [] }
  for (let path = 0; path < count; path += 1) {
    let chiSquare = 0
    for (let degree = 0; degree < independent; degree += 1) chiSquare += random.gaussian() ** 2
    const tail = Math.sqrt(independent / chiSquare / folds)
    draws.weights.push(Float64Array.from({ length: folds }, () => tail * random.gaussian()))
    draws.folds.push(Uint8Array.from({ length: weeks }, () => random.integer(folds)))
    draws.weeks.push(Uint8Array.from({ length: weeks }, () => random.integer(wholeWeeks)))
    draws.specialDays.push(Array.from({ length: horizon }, () => special[random.integer(special.length)] ?? noDay))
  }
  return draws
}

const noDay = { fold: -1, day: -1 }

/** Returns the days that are special for at least half as many leaves as the most common one is. */
function commonSpecialDays(
  leaves: readonly SimulatedLeaf[],
  folds: number,
  horizon: number,
): { fold: number; day: number }[] {
  const all = Array.from({ length: folds * horizon }, (_, at) => {
    const [fold, day] = [Math.floor(at / horizon), at % horizon]
    const count = leaves.filter(({ errors }) => !Number.isNaN(errors.specialDays[fold]?.[day] ?? Number.NaN)).length
    return { fold, day, count }
  })
  const most = all.reduce((max, { count }) => Math.max(max, count), 0)
  return most === 0 ? [] : all.filter(({ count }) => 2 * count >= most)
}

function simulateLeaf(
  { errors: { levels, days, specialDays, spreadAt }, mean, isNonNegative, isSpecial }: SimulatedLeaf,
  { weights, folds, weeks, specialDays: drawn }: Draws,
  values: Float32Array,
  count: number,
): void {
  const level = new Float64Array(count)
  mean.forEach((expected, day) => {
    const week = Math.floor(day / weekDays)
    if (day % weekDays === 0) {
      for (let path = 0; path < count; path += 1) {
        const weight = weights[path]
        let sum = 0
        for (let fold = 0; fold < levels.length; fold += 1) sum += (weight?.[fold] ?? 0) * (levels[fold]?.[week] ?? 0)
        level[path] = sum
      }
    }
    const isClosed = isNonNegative && expected <= 0
    const spread = isClosed ? 0 : spreadAt(expected)
    const start = day * count
    let total = 0
    for (let path = 0; path < count; path += 1) {
      const source = (weeks[path]?.[week] ?? 0) * weekDays + (day % weekDays)
      const { fold = -1, day: specialDay = -1 } = isSpecial[day] ? (drawn[path]?.[day] ?? noDay) : noDay
      const special = specialDays[fold]?.[specialDay] ?? Number.NaN
      const ordinary = days[folds[path]?.[week] ?? 0]?.[source] ?? 0
      // The error of a special day is all of it, with that of its level.
      const noise = spread * (Number.isNaN(special) ? ordinary : special)
      const shift = Number.isNaN(special) ? (level[path] ?? 0) * (isNonNegative ? expected : 1) : 0
      const value = isNonNegative ? Math.max(0, expected + shift + noise) : expected + shift + noise
      values[start + path] = value
      total += value
    }
    // Cutting at 0 raises the mean. Left alone, that would add up over hundreds of small teams.
    const factor = total > 0 ? (expected * count) / total : 0
    const difference = expected - total / count
    for (let path = 0; path < count; path += 1) {
      const value = values[start + path] ?? 0
      values[start + path] = isNonNegative ? value * factor : value + difference
    }
  })
}

/** Raises a negative remainder so that its parent is not negative. */
function boundRemainder(values: Float32Array, leaf: number, others: readonly number[], size: number): void {
  for (let at = 0; at < size; at += 1) {
    let sum = 0
    for (const other of others) sum += values[other * size + at] ?? 0
    values[leaf * size + at] = Math.max(values[leaf * size + at] ?? 0, -sum)
  }
}

/** Rounds to the finest power of two of which single precision holds all sums of leaves exactly. */
function roundValues(values: Float32Array, size: number): void {
  const totals = new Float64Array(size)
  for (let at = 0; at < values.length; at += 1) totals[at % size] = (totals[at % size] ?? 0) + Math.abs(values[at] ?? 0)
  const largest = totals.reduce((max, total) => Math.max(max, total), 1)
  // Rounding adds at most half a unit to each leaf.
  const leaves = values.length / Math.max(1, size)
  const unit = 2 ** -Math.min(finest, Math.floor(Math.log2((exact - leaves) / largest)))
  for (let at = 0; at < values.length; at += 1) values[at] = Math.round((values[at] ?? 0) / unit) * unit
}
