/**
 * Returns the milliseconds to add to the local clock to get the common clock, the median of the clocks of all edges.
 * Every edge computes it from how far the other clocks are ahead of its own, and all arrive at the same time. With
 * three edges, one clock that is half a minute off has no effect; two edges meet half-way.
 *
 * @param aheadMs for each peer, how far its clock is ahead of the local clock, in milliseconds
 */
export function clockCorrectionMs(aheadMs: readonly number[]): number {
  const sorted = [0, ...aheadMs].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
