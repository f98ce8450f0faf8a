/** A negative value that seems to stand for "no value", such as -1 while closed. */
export interface Sentinel {
  value: number
  count: number
}

/** Written once, only these are known to stand for no value. */
const customary = /^-(?:1|9+|32768|2147483648)$/

/**
 * Returns the only negative value of an otherwise non-negative series, if it is repeated or customary; null if the
 * series has no negative values, or has others.
 */
export function findSentinel(values: Float64Array): Sentinel | null {
  let [value, count] = [0, 0]
  for (const one of values) {
    if (one >= 0) continue
    if (count > 0 && one !== value) return null
    value = one
    count += 1
  }
  if (count === 0 || count === values.length) return null
  return count > 1 || customary.test(String(value)) ? { value, count } : null
}

export const describeSentinel = ({ value, count }: Sentinel): string =>
  `The value ${value} occurs ${count === 1 ? 'once' : `${count} times`}, and no other value is negative: it may stand ` +
  'for no value, such as while closed. If so, declare it as null (`config.format.nulls` of the data source, or null ' +
  'points). Until then, steps below 0 count as 0.'
