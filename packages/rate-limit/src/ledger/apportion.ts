/**
 * Splits whole units in proportion to weights by the largest remainder (Hamilton's method): every party gets the
 * integer part of its share, and the remaining units go, one each, to the largest fractions. The parts always add up to
 * `units`. If all weights are zero, every party weighs the same.
 *
 * @param turn decides ties between equal fractions: which party comes first
 */
export function apportion(units: number, weights: readonly number[], turn: number): number[] {
  const parties = weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const shares = weights.map((weight) => (sum > 0 ? (units * weight) / sum : units / parties))
  const parts = shares.map(Math.floor)
  const fraction = (index: number) => (shares[index] ?? 0) - (parts[index] ?? 0)
  const order = [...parts.keys()].sort(
    (a, b) => fraction(b) - fraction(a) || ((a + turn) % parties) - ((b + turn) % parties),
  )
  let remaining = units - parts.reduce((total, part) => total + part, 0)
  // floating-point error can make the parts of very large numbers add up to one too few or too many
  for (let next = 0; remaining !== 0 && parties > 0; next = (next + 1) % parties) {
    const step = Math.sign(remaining)
    const index = order[step > 0 ? next : parties - 1 - next] ?? 0
    if (step < 0 && parts[index] === 0) continue
    parts[index] = (parts[index] ?? 0) + step
    remaining -= step
  }
  return parts
}

/** Splits units evenly among a number of parties. @param turn decides who gets what does not divide evenly */
export const splitEvenly = (units: number, parties: number, turn: number): number[] =>
  apportion(units, Array<number>(parties).fill(1), turn)
