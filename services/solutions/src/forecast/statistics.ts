/** The median; 0 of nothing. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/**
 * The value a share `p` of new values from the same source stays below: order statistic `p (n + 1)`, between two of
 * them in proportion (type 6 of Hyndman & Fan 1996); the extremes beyond the data, 0 of nothing.
 */
export function quantile(sorted: Float64Array, p: number): number {
  const rank = p * (sorted.length + 1) - 1
  const position = Math.max(0, Math.min(sorted.length - 1, rank))
  const below = Math.trunc(position)
  const value = sorted[below] ?? 0
  return value + ((sorted[below + 1] ?? value) - value) * (position - below)
}
