import { quantile } from '../../statistics.ts'
import type { Tree } from '../tree.ts'

/** Possible adjustments of a level, as a share of 1 - level, the smaller ones first. */
export const adjustments = [0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3, -0.4, 0.4, -0.5, 0.5, 0.6, 0.7, 0.8]

/** Calls back with the sorted sums of the paths below each node, day by day. The array is reused. */
export function eachNodeAndDay(
  tree: Tree,
  leafPlaces: Int32Array,
  values: Float32Array,
  { count, horizon }: { count: number; horizon: number },
  visit: (number: number, day: number, sorted: Float64Array) => void,
): void {
  const sums = tree.children.map(() => new Float32Array(count))
  const sorted = new Float64Array(count)
  for (let day = 0; day < horizon; day += 1) {
    for (const number of tree.bottomUp) {
      const own = sums[number] ?? new Float32Array()
      const children = tree.children[number] ?? []
      const start = ((leafPlaces[number] ?? 0) * horizon + day) * count
      if (children.length === 0) own.set(values.subarray(start, start + count))
      else own.fill(0)
      for (const child of children) {
        const below = sums[child] ?? own
        for (let path = 0; path < count; path += 1) own[path] = (own[path] ?? 0) + (below[path] ?? 0)
      }
      sorted.set(own)
      visit(number, day, sorted.sort())
    }
  }
}

/**
 * Returns a function that tells if the interval of a level of sorted paths contains a value. A whole number stands for
 * all that are rounded to it.
 */
export function containsOf(sorted: Float64Array, value: number, isWhole: boolean): (level: number) => boolean {
  const slack = isWhole ? 0.5 : 1e-6 * Math.max(1, Math.abs(value))
  const below = countUpTo(sorted, value - slack)
  const upTo = countUpTo(sorted, value + slack)
  if (upTo === 0 || below === sorted.length) return () => false
  return (level) => {
    const tail = (1 - level) / 2
    // The ranks of the bounds, of `quantile`.
    const lowest = tail * (sorted.length + 1)
    const highest = (1 - tail) * (sorted.length + 1)
    return upTo + 0.5 >= lowest && below + 0.5 <= highest
  }
}

/** Returns the bounds of a level among sorted paths; whole numbers for counts. */
export function boundsOf(sorted: Float64Array, level: number, isWhole: boolean): { lower: number; upper: number } {
  const [lower, upper] = [quantile(sorted, (1 - level) / 2), quantile(sorted, (1 + level) / 2)]
  return isWhole ? { lower: Math.round(lower), upper: Math.round(upper) } : { lower, upper }
}

function countUpTo(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
