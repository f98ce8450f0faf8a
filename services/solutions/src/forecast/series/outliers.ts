import { quantile } from '../statistics.ts'

/** Values beyond so many times the usual highest one are no people: a typing error, or the error code of a counter. */
const timesUsual = 10
const usualShare = 0.95
/** With fewer values other than 0, or with a larger share of them so high, there is no usual one. */
const fewest = 20
const mostShare = 0.02

/** Returns the indexes of values far above all others; none of a series that often has such values. */
export function findOutliers(values: Float64Array): number[] {
  const positive = values.filter((value) => value > 0).sort()
  if (positive.length < fewest) return []
  const bound = timesUsual * quantile(positive, usualShare)
  const indexes = [...values.keys()].filter((index) => (values[index] ?? 0) > bound)
  return indexes.length > Math.max(1, mostShare * positive.length) ? [] : indexes
}
