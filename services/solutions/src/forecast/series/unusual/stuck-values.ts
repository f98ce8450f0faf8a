import type { Frequency } from '../../shapes.ts'
import { quantile } from '../../statistics.ts'

/** The least cells of a run of one value that is no chance, and the least in units of the usual long runs. */
const leastRun = { hour: 24, day: 7, week: 6 }
const timesUsual = 3
const usualShare = 0.99
const mostOfHistory = 1 / 3

/** Steps in a row with one value. */
export interface Run {
  from: number
  length: number
  value: number
}

/** Returns runs of one value other than 0 that are far longer than others, as a counter that hangs has. */
export function findStuckValues(values: Float64Array, frequency: Frequency): Run[] {
  const runs: Run[] = []
  for (const [index, value] of values.entries()) {
    const last = runs.at(-1)
    if (last !== undefined && last.from + last.length === index && last.value === value) last.length += 1
    else if (value !== 0 && !Number.isNaN(value)) runs.push({ from: index, length: 1, value })
  }
  const lengths = Float64Array.from(runs, ({ length }) => length).sort()
  const least = Math.max(leastRun[frequency], timesUsual * quantile(lengths, usualShare))
  const stuck = runs.filter(({ length }) => length >= least)
  const total = stuck.reduce((sum, { length }) => sum + length, 0)
  return total > mostOfHistory * values.length ? [] : stuck
}
