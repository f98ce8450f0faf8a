import { median, quantile } from '../../statistics.ts'

/**
 * Values beyond so many times the usual highest one tell nothing of other days: a typing error (a zero too many of a
 * day that is not busy), the error code of a counter, or an event.
 */
const timesUsual = 5
const usualShare = 0.95
/** With fewer values other than 0, or with a larger share of them so high, there is no usual one. */
const fewest = 20
const mostShare = 0.02

/**
 * Returns the indexes of values far above all others; none of a series that often has such values, or ends with several
 * of them: many more people may come from then on. A value that is usual at its time of the week is none either.
 * @param slotOf the time of the week of an index
 */
export function findOutliers(values: Float64Array, slotOf: (index: number) => number): number[] {
  const positive = values.filter((value) => value > 0).sort()
  if (positive.length < fewest) return []
  const bound = timesUsual * quantile(positive, usualShare)
  const indexes = [...values.keys()].filter((index) => (values[index] ?? 0) > bound)
  const isLasting = values
    .filter((value) => value > 0)
    .slice(-2)
    .every((value) => value > bound)
  if (indexes.length === 0 || isLasting) return []
  const bySlot = Map.groupBy(values.keys(), slotOf)
  const isUnusual = (index: number) => {
    const others = (bySlot.get(slotOf(index)) ?? []).filter((other) => other !== index)
    return (values[index] ?? 0) > timesUsual * median(others.map((other) => values[other] ?? 0).filter(Number.isFinite))
  }
  const unusual = indexes.filter(isUnusual)
  return unusual.length > Math.max(1, mostShare * positive.length) ? [] : unusual
}
