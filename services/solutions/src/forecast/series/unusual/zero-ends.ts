import type { Frequency } from '../../shapes.ts'

/** Zeros at the start that are no history, and the least at the end that are remarkable, in cells. */
const longestStart = { hour: 14 * 24, day: 14, week: 2 }
const leastEnd = { hour: 4 * 24, day: 4, week: 2 }

/**
 * Returns the index of the first value other than 0 if two weeks of zeros are before it, else 0: a place was not open
 * yet, or its counter not in use. Errors of forecasts of 0 would tell nothing of the time since.
 */
export function beginOf(values: Float64Array, frequency: Frequency): number {
  const begin = values.findIndex((value) => value !== 0 && !Number.isNaN(value))
  return begin >= longestStart[frequency] ? begin : 0
}

/**
 * Returns the number of zeros at the end if they are twice as many as ever before in a row, else 0: a place has closed,
 * or its counter does not work.
 */
export function silentEnd(values: Float64Array, frequency: Frequency): number {
  let [run, longest] = [0, 0]
  for (const value of values) {
    if (value === 0) run += 1
    else if (!Number.isNaN(value)) [run, longest] = [0, Math.max(longest, run)]
  }
  return run >= leastEnd[frequency] && run >= 2 * longest && run < values.length ? run : 0
}
