import type { Level } from '../../shapes.ts'
import { quantile } from '../../statistics.ts'
import type { Tree } from '../tree.ts'

/** Possible adjustments of a level, as a share of 1 - level, the smaller ones first. */
const adjustments = [0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3, -0.4, 0.4, -0.5, 0.5, 0.6, 0.7, 0.8]

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

/** Counts of values inside intervals of each level, by group, adjustment and fold. */
export class CoverageTable {
  readonly #levels: readonly Level[]
  readonly #folds: number
  readonly #counts: Float64Array
  readonly #hits: Float64Array

  constructor(levels: readonly Level[], groups: number, folds: number) {
    this.#levels = levels
    this.#folds = folds
    this.#counts = new Float64Array(groups * folds)
    this.#hits = new Float64Array(groups * folds * levels.length * adjustments.length)
  }

  /** Notes in which intervals of sorted paths a value is. A whole number stands for all that are rounded to it. */
  add(group: number, fold: number, sorted: Float64Array, value: number, isWhole: boolean): void {
    const slack = isWhole ? 0.5 : 1e-6 * Math.max(1, Math.abs(value))
    const below = countUpTo(sorted, value - slack)
    const upTo = countUpTo(sorted, value + slack)
    const cell = group * this.#folds + fold
    this.#counts[cell] = (this.#counts[cell] ?? 0) + 1
    if (upTo === 0 || below === sorted.length) return
    const width = this.#levels.length * adjustments.length
    this.#levels.forEach((level, row) => {
      adjustments.forEach((adjustment, column) => {
        const tail = (1 - adjustLevel(level, adjustment)) / 2
        // The ranks of the bounds, of `quantile`.
        const lowest = tail * (sorted.length + 1)
        const highest = (1 - tail) * (sorted.length + 1)
        const at = cell * width + row * adjustments.length + column
        if (upTo + 0.5 >= lowest && below + 0.5 <= highest) this.#hits[at] = (this.#hits[at] ?? 0) + 1
      })
    })
  }

  /** Returns the level of the quantiles whose intervals had the coverage nearest to a level, of equals the nearest. */
  adjusted(group: number, level: Level, excluded = -1): number {
    let best: number = level
    let least = Number.POSITIVE_INFINITY
    for (const [column, adjustment] of adjustments.entries()) {
      const share = this.#share(group, level, column, (fold) => fold !== excluded)
      if (share === null || Math.abs(share - level) >= least - 1e-12) continue
      least = Math.abs(share - level)
      best = adjustLevel(level, adjustment)
    }
    return best
  }

  /** Returns the coverage of each fold with the adjustment of the others; null without values. */
  coverage(group: number, level: Level, adjustedBy: CoverageTable = this, adjustmentGroup = group): number | null {
    let hits = 0
    let counts = 0
    for (let fold = 0; fold < this.#folds; fold += 1) {
      const used = adjustedBy.adjusted(adjustmentGroup, level, fold)
      const column = adjustments.findIndex((adjustment) => adjustLevel(level, adjustment) === used)
      const count = this.#counts[group * this.#folds + fold] ?? 0
      hits += count * (this.#share(group, level, column, (other) => other === fold) ?? 0)
      counts += count
    }
    return counts > 0 ? hits / counts : null
  }

  #share(group: number, level: Level, column: number, includes: (fold: number) => boolean): number | null {
    const width = this.#levels.length * adjustments.length
    const row = this.#levels.indexOf(level)
    let hits = 0
    let counts = 0
    for (let fold = 0; fold < this.#folds; fold += 1) {
      if (!includes(fold)) continue
      const cell = group * this.#folds + fold
      hits += this.#hits[cell * width + row * adjustments.length + column] ?? 0
      counts += this.#counts[cell] ?? 0
    }
    return counts > 0 ? hits / counts : null
  }
}

/** Returns the bounds of a level among sorted paths; whole numbers for counts. */
export function boundsOf(sorted: Float64Array, level: number, isWhole: boolean): { lower: number; upper: number } {
  const [lower, upper] = [quantile(sorted, (1 - level) / 2), quantile(sorted, (1 + level) / 2)]
  return isWhole ? { lower: Math.round(lower), upper: Math.round(upper) } : { lower, upper }
}

function adjustLevel(level: number, adjustment: number): number {
  return level + adjustment * (1 - level)
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
