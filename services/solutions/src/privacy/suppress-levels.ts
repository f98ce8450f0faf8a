/** Levels of one hour in a tree of spaces. Parents come before their children. */
export interface LevelSheet {
  /** The parent of each space, -1 for a root. */
  parents: Int32Array
  /** The people of each space, summed over the minutes of the hour. */
  minutes: Int32Array
  /** 1 for a level about fewer people than the threshold. */
  sensitive: Uint8Array
  /** 1 for each level that is not shown. */
  hidden: Uint8Array
}

/**
 * Suppresses levels of an hour, in `hidden`: the sensitive ones with all in them, and as many others that no hidden
 * level can be bounded tighter than by the threshold, in people on average.
 *
 * Levels add up: a space is the sum of those in it and its *own part*, of people in none of them. All that is shown
 * tells, of each shown space and the hidden ones that hang together below it, one sum, the *slack*: its level less
 * those of the shown spaces next to them, which is the sum of their own parts. Each of them lies between the least it
 * contains and the slack above that. So it is enough that the slack reaches the threshold. Where counters contradict
 * each other and the spaces in a space count more than it, its own part is below 0: the slack is never more than what
 * is shown leaves, even to a reader who does not know of the contradiction.
 *
 * Levels of badges are hidden where their people are. They never exceed those, so that they narrow no count of people.
 * Peaks narrow nothing either: that of a hidden space is at most the one of the shown space around it, whose average
 * alone is the slack or more, and may be 0 as long as two own parts are unknown.
 */
export function suppressLevels(sheet: LevelSheet, threshold: number): void {
  const { parents, sensitive, hidden } = sheet
  for (let at = 0; at < parents.length; at++) {
    if (sensitive[parents[at] ?? -1] === 1) sensitive[at] = 1
    if (sensitive[at] === 1) hidden[at] = 1
  }
  if (!hidden.includes(1)) return
  const tree = new LevelTree(sheet)
  const tops = new Set<number>()
  for (let at = parents.length - 1; at >= 0; at--) if (tree.isHidden(at)) tops.add(tree.shownAbove(at))
  // One that was hidden is protected with the space around it.
  for (const first of tops)
    for (let top = tree.isHidden(first) ? -1 : first; top >= 0; ) top = protect(tree, top, threshold * minutesPerHour)
}

const minutesPerHour = 60

/**
 * Protects what is hidden below a shown space.
 * @returns the space around it to protect next, if it was hidden; or -1
 */
function protect(tree: LevelTree, top: number, leastSlack: number): number {
  for (;;) {
    const { slack, unknowns, shown } = tree.regionOf(top)
    // Each unknown is known not to be 0: that is a minute less to share.
    const missing = leastSlack + unknowns - slack
    if (missing <= 0) return -1
    // A level below those shown in it is hidden rather than they: it is the one that leaves nothing.
    const complement = slack < 0 ? -1 : complementOf(tree, shown, missing)
    tree.hide(complement < 0 ? top : complement)
    if (complement < 0) return tree.shownAbove(top)
  }
}

/**
 * Returns the shown space that adds enough at the lowest cost, otherwise the one that adds most; if none adds anything,
 * as all of them are sums of shown ones, the one with the smallest level, so that those in it are next. Or -1.
 */
function complementOf(tree: LevelTree, shown: readonly number[], missing: number): number {
  let [best, bestGain] = [-1, 0]
  for (const at of shown) {
    const gain = tree.regionOf(at).slack
    const [isEnough, wasEnough] = [gain >= missing, bestGain >= missing]
    const isCheaper = tree.levelOf(at) < tree.levelOf(best)
    const isBetter = isEnough === wasEnough ? (isEnough || gain === bestGain ? isCheaper : gain > bestGain) : isEnough
    if (best < 0 || isBetter) [best, bestGain] = [at, gain]
  }
  return best
}

/** Hidden spaces that hang together below a space. */
interface Region {
  slack: number
  /** Own parts that are not known. */
  unknowns: number
  /** The spaces next to it that are shown, without those that are 0. */
  shown: number[]
}

class LevelTree {
  readonly #parents: Int32Array
  readonly #hidden: Uint8Array
  /** The highest level of each space and those in it: of a space that contradicts them, not its own. */
  readonly #levels: Int32Array
  readonly #ownParts: Int32Array
  readonly #children: number[][]

  constructor({ parents, minutes, hidden }: LevelSheet) {
    this.#parents = parents
    this.#hidden = hidden
    this.#levels = minutes.slice()
    this.#ownParts = minutes.slice()
    this.#children = Array.from(parents, () => [])
    for (let at = parents.length - 1; at >= 0; at--) {
      const parent = parents[at] ?? -1
      if (parent < 0) continue
      this.#levels[parent] = Math.max(this.levelOf(parent), this.levelOf(at))
      this.#ownParts[parent] = (this.#ownParts[parent] ?? 0) - (minutes[at] ?? 0)
      this.#children[parent]?.push(at)
    }
  }

  levelOf(at: number): number {
    return this.#levels[at] ?? 0
  }

  /** Returns true for a hidden space; 0 tells of no one. */
  isHidden(at: number): boolean {
    return this.#hidden[at] === 1 && this.levelOf(at) > 0
  }

  hide(at: number): void {
    this.#hidden[at] = 1
  }

  /** Returns the nearest space around one that is shown, or -1. */
  shownAbove(at: number): number {
    let above = this.#parents[at] ?? -1
    while (above >= 0 && this.#hidden[above] === 1) above = this.#parents[above] ?? -1
    return above
  }

  regionOf(top: number): Region {
    const region: Region = { slack: 0, unknowns: 0, shown: [] }
    const spaces = [top]
    for (const space of spaces) {
      const own = this.#ownParts[space] ?? 0
      region.slack += own
      // The floors of a cell and of the remainder next to it.
      region.unknowns += (own !== 0 ? 1 : 0) + (this.isHidden(space) ? 1 : 0)
      for (const child of this.#children[space] ?? [])
        if (this.isHidden(child)) spaces.push(child)
        else if (this.levelOf(child) > 0) region.shown.push(child)
    }
    return region
  }
}
