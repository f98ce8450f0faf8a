/** Returns `amount × part / whole` in whole minor units, rounded half up. Exact for any safe integers. */
export function shareOf(amount: number, part: number, whole: number): number {
  const numerator = 2n * BigInt(amount) * BigInt(part) + BigInt(whole)
  const denominator = 2n * BigInt(whole)
  const quotient = numerator / denominator
  // BigInt division truncates; half up means towards positive infinity.
  return Number(numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient)
}

/** Formats minor units of a currency with two decimals for people: `1,234.50`. */
export function formatMinor(amountMinor: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amountMinor < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`
}

/** Formats a count with separators of thousands: `20,000,000`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
