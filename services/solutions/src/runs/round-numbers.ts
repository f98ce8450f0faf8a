/** Digits that computed numbers keep: more than a forecast knows, fewer than the errors of sums of doubles reach. */
const significantDigits = 10
/** Decimals that they keep, so that what is zero but for such an error is zero. */
const maxDecimals = 9

/**
 * Returns a copy of a result with every number rounded to 10 significant digits and at most 9 decimals, so that a
 * constant 100 is not forecast as 99.99999999999999. Whole numbers stay as they are. A result is rounded once, before
 * it is stored: responses, exports, recommendations and plans read the same numbers.
 */
export function roundNumbers<T>(value: T): T
export function roundNumbers(value: unknown): unknown {
  if (typeof value === 'number') return roundNumber(value)
  if (Array.isArray(value)) return value.map((element) => roundNumbers(element))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundNumbers(member)]))
}

function roundNumber(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  const rounded = Number(value.toPrecision(significantDigits))
  return Math.abs(rounded) < 1 ? Number(rounded.toFixed(maxDecimals)) : rounded
}
