/** @param share from 0 for the smallest value to 1 for the largest */
const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Returns the median of several measurements. */
export const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5)

/** Percentiles of times, in the unit of the times. */
export type Percentiles = Record<'p50' | 'p95' | 'p99' | 'max', number>

export function percentiles(times: ArrayLike<number>): Percentiles {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => quantile(sorted, share)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Returns percentiles as columns of a table. */
export function percentileColumns({ p50, p95, p99, max }: Percentiles) {
  return { 'p50 ms': p50, 'p95 ms': p95, 'p99 ms': p99, 'max ms': max }
}

/**
 * Measures several things in turn, so that other work on the machine affects all of them.
 * @returns the measurements of each thing, by round
 */
export async function alternate<Item, Result>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item) => Promise<Result>,
): Promise<Map<Item, Result[]>> {
  const results = new Map<Item, Result[]>(items.map((item) => [item, []]))
  for (let round = 0; round < rounds; round += 1) for (const item of items) results.get(item)?.push(await measure(item))
  return results
}
