/** The adjustment of a level moves it by this share of 1 - level. */
const adjustLevel = (level: number, adjustment: number): number => level + adjustment * (1 - level)

/**
 * Counts how often values of a backtest are inside intervals, by group, level, adjustment of the level, and fold. So
 * the level is found whose intervals have the coverage that was asked for.
 */
export class CoverageTable {
  readonly #levels: readonly number[]
  readonly #adjustments: readonly number[]
  readonly #folds: number
  readonly #counts: Float64Array
  readonly #hits: Float64Array

  /** @param shape `adjustments` of the levels, the smaller ones first */
  constructor(
    levels: readonly number[],
    { groups, folds, adjustments }: { groups: number; folds: number; adjustments: readonly number[] },
  ) {
    this.#levels = levels
    this.#adjustments = adjustments
    this.#folds = folds
    this.#counts = new Float64Array(groups * folds)
    this.#hits = new Float64Array(groups * folds * levels.length * adjustments.length)
  }

  /** Notes in which intervals a value is. @param isInside tells it of an adjusted level */
  add(group: number, fold: number, isInside: (level: number) => boolean): void {
    const cell = group * this.#folds + fold
    this.#counts[cell] = (this.#counts[cell] ?? 0) + 1
    let at = cell * this.#levels.length * this.#adjustments.length
    for (const level of this.#levels)
      for (const adjustment of this.#adjustments) {
        if (isInside(adjustLevel(level, adjustment))) this.#hits[at] = (this.#hits[at] ?? 0) + 1
        at += 1
      }
  }

  /** Returns the level of the quantiles whose intervals had the coverage nearest to a level, of equals the nearest. */
  adjusted(group: number, level: number, excluded = -1): number {
    return adjustLevel(level, this.#adjustments[this.#best(group, level, excluded)] ?? 0)
  }

  /**
   * Returns the coverage of each fold with the adjustment of the others; null without values, and of a level that was
   * not counted.
   */
  coverage(group: number, level: number, adjustedBy: CoverageTable = this, adjustmentGroup = group): number | null {
    if (!this.#levels.includes(level)) return null
    let [hits, counts] = [0, 0]
    for (let fold = 0; fold < this.#folds; fold += 1) {
      const column = adjustedBy.#best(adjustmentGroup, level, fold)
      const own = this.#sums(group, level, column, (other) => other === fold)
      hits += own.hits
      counts += own.counts
    }
    return counts > 0 ? hits / counts : null
  }

  /** Returns the position of the best adjustment; the first without values. */
  #best(group: number, level: number, excluded: number): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY]
    for (const column of this.#adjustments.keys()) {
      const { hits, counts } = this.#sums(group, level, column, (fold) => fold !== excluded)
      const miss = counts === 0 ? Number.POSITIVE_INFINITY : Math.abs(hits / counts - level)
      if (miss < least - 1e-12) [best, least] = [column, miss]
    }
    return best
  }

  #sums(group: number, level: number, column: number, includes: (fold: number) => boolean) {
    const width = this.#adjustments.length
    let [hits, counts] = [0, 0]
    for (let fold = 0; fold < this.#folds; fold += 1) {
      if (!includes(fold)) continue
      const cell = group * this.#folds + fold
      hits += this.#hits[(cell * this.#levels.length + this.#levels.indexOf(level)) * width + column] ?? 0
      counts += this.#counts[cell] ?? 0
    }
    return { hits, counts }
  }
}
