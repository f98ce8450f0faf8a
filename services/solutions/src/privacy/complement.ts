import type { AttackerBounds } from './attacker-bounds.ts'
import { fineSheetsOf, hidingCost, type Lattice } from './lattice.ts'

type Side = 'low' | 'high'
const otherSide = (side: Side): Side => (side === 'low' ? 'high' : 'low')

/** Hidden cells from which a search looks further, before it gives up. */
const maxVisited = 200

/**
 * Finds the cells whose suppression widens a bound of a hidden cell: those shown in the relation that gives the bound,
 * and if that relation has none, those in the relation that gives the bound of its hidden cells.
 */
export class ComplementSearch {
  private readonly lattice: Lattice
  private readonly bounds: AttackerBounds
  private readonly prefersParts: boolean
  private readonly fineSheets: number[][]
  private readonly visited = new Set<number>()

  /** @param prefersParts looks among the parts of a cell, too, where the cells beside it have one to hide */
  constructor(lattice: Lattice, bounds: AttackerBounds, prefersParts = false) {
    this.lattice = lattice
    this.prefersParts = prefersParts
    this.bounds = bounds
    this.fineSheets = fineSheetsOf(lattice)
  }

  /**
   * Returns the cell to hide so that a side of a hidden cell moves by `missing`, or -1: the smallest count that moves
   * it far enough, otherwise the largest. The total is taken only if nothing else is left.
   */
  find(sheet: number, node: number, side: Side, missing: number): number {
    this.visited.clear()
    return this.search(sheet, node, side, missing)
  }

  /** Returns the smallest shown cell in a relation with a hidden one, or with the hidden ones next to it; or -1. */
  nearest(sheet: number, node: number): number {
    const { shape } = this.lattice
    const seen = new Set([this.cellOf(sheet, node)])
    for (let ring = [...seen]; ring.length > 0; ) {
      const around = ring.flatMap((cell) => this.neighbours(Math.floor(cell / shape.nodeCount), cell % shape.nodeCount))
      const found = this.cheapest(around, 0)
      if (found >= 0) return found
      ring = [...new Set(around)].filter((cell) => this.lattice.hidden[cell] === 1 && !seen.has(cell))
      for (const cell of ring) seen.add(cell)
    }
    return -1
  }

  /** Returns the cell with the smallest `hidingCost`; -1 without one. */
  leastCostly(cells: readonly number[]): number {
    const costs = cells.map((cell) => (cell < 0 ? Number.POSITIVE_INFINITY : hidingCost(this.lattice, cell)))
    return cells[costs.indexOf(Math.min(...costs))] ?? -1
  }

  private neighbours(sheet: number, node: number): number[] {
    const { shape, within, groupCounts } = this.lattice
    const groups = node > 0 ? [shape.memberOf[node] ?? 0] : []
    for (let group = shape.parentOf[node] ?? -1; group >= 0; group = this.nextGroup(node, group)) groups.push(group)
    const cells = groups
      .filter((group) => group < (groupCounts[sheet] ?? 0))
      .flatMap((group) => [shape.groupParent[group] ?? 0, ...this.membersOf(group)])
      .map((each) => this.cellOf(sheet, each))
    if (shape.isRemainder[node] === 1) return cells
    const coarse = within[sheet] ?? -1
    const siblings = [...(this.fineSheets[sheet] ?? []), ...(this.fineSheets[coarse] ?? [])]
    for (const fine of siblings) if (node < this.nodesOf(fine)) cells.push(this.cellOf(fine, node))
    if (coarse >= 0) cells.push(this.cellOf(coarse, node))
    return cells
  }

  private search(sheet: number, node: number, side: Side, missing: number): number {
    const { shape } = this.lattice
    const visit = 2 * this.cellOf(sheet, node) + (side === 'low' ? 1 : 0)
    if (this.visited.has(visit) || this.visited.size > maxVisited) return -1
    this.visited.add(visit)
    const binding = this.bounds[side][this.cellOf(sheet, node)] ?? 0
    const inGroup = node > 0 ? this.inGroup(sheet, node, side, binding, missing) : -1
    if (inGroup >= 0 && !this.prefersParts) return inGroup
    const inSheet = this.leastCostly([inGroup, this.ofChildren(sheet, node, side, binding, missing)])
    if (inSheet >= 0 || shape.isRemainder[node] === 1) return inSheet
    const inCoarser = this.inCoarser(sheet, node, side, binding, missing)
    return inCoarser >= 0 ? inCoarser : this.inFiner(sheet, node, side, binding, missing)
  }

  /** The bound that follows from the parent less the siblings. */
  private inGroup(sheet: number, node: number, side: Side, binding: number, missing: number): number {
    const { shape, overlaps, counts, hidden } = this.lattice
    const { low, high } = this.bounds
    const group = shape.memberOf[node] ?? 0
    const parent = shape.groupParent[group] ?? 0
    const parentCell = this.cellOf(sheet, parent)
    const own = this.cellOf(sheet, node)
    const bounds = side === 'high' ? high : low
    const opposite = side === 'high' ? low : high
    let bound = (bounds[parentCell] ?? 0) + (overlaps[sheet * shape.groupParent.length + group] ?? 0)
    const end = this.cellOf(sheet, shape.groupEnd[group] ?? 0)
    for (let cell = this.cellOf(sheet, shape.groupStart[group] ?? 0); cell < end; cell++) bound -= opposite[cell] ?? 0
    bound += opposite[own] ?? 0
    if (side === 'high') bound = Math.min(bound, high[parentCell] ?? 0)
    if (bound !== binding) return -1
    const shown = this.cheapestMember(sheet, group, missing)
    const found = this.leastCostly([shown, ...this.behindMembers({ sheet, node, side: otherSide(side) }, missing)])
    if (found >= 0) return found
    if (hidden[parentCell] === 1) return this.search(sheet, parent, side, missing)
    return (counts[parentCell] ?? 0) > 0 ? parentCell : -1
  }

  /**
   * Returns cells that let hidden members of the group of a node be less or more than is known. Hiding one more member
   * is of no use where the hours and parts of each tell the least that it counts: all are hidden in the end.
   */
  private behindMembers({ sheet, node, side }: { sheet: number; node: number; side: Side }, missing: number): number[] {
    const { hidden, counts, shape } = this.lattice
    return this.membersOf(shape.memberOf[node] ?? 0).flatMap((member) => {
      const cell = this.cellOf(sheet, member)
      const isOpen = member !== node && hidden[cell] === 1 && (counts[cell] ?? 0) > missing
      return isOpen ? [this.search(sheet, member, side, missing)] : []
    })
  }

  /** The bound that follows from the sum of the children, or from the largest. */
  private ofChildren(sheet: number, node: number, side: Side, binding: number, missing: number): number {
    const { shape, overlaps, groupCounts, hidden } = this.lattice
    const bounds = this.bounds[side]
    for (let group = shape.parentOf[node] ?? -1; group >= 0; group = this.nextGroup(node, group)) {
      if (group >= (groupCounts[sheet] ?? 0)) break
      const start = this.cellOf(sheet, shape.groupStart[group] ?? 0)
      const end = this.cellOf(sheet, shape.groupEnd[group] ?? 0)
      let sum = -(overlaps[sheet * shape.groupParent.length + group] ?? 0)
      for (let cell = start; cell < end; cell++) sum += bounds[cell] ?? 0
      if (side === 'low' && sum < binding) {
        for (let cell = start; cell < end; cell++) if (bounds[cell] === binding && this.isShown(cell)) return cell
      }
      if (sum !== binding) continue
      const found = this.cheapestMember(sheet, group, missing)
      if (found >= 0) return found
      for (let cell = start; cell < end; cell++) {
        const below = hidden[cell] === 1 ? this.search(sheet, cell % shape.nodeCount, side, missing) : -1
        if (below >= 0) return below
      }
    }
    return -1
  }

  /** The bound that follows from the coarser sheet less the others in it. */
  private inCoarser(sheet: number, node: number, side: Side, binding: number, missing: number): number {
    const coarse = this.lattice.within[sheet] ?? -1
    if (coarse < 0) return -1
    const cell = this.cellOf(coarse, node)
    const others = (this.fineSheets[coarse] ?? []).filter((fine) => fine !== sheet && node < this.nodesOf(fine))
    let bound = this.bounds[side][cell] ?? 0
    if (side === 'low') for (const fine of others) bound -= this.bounds.high[this.cellOf(fine, node)] ?? 0
    if (bound !== binding) return -1
    if (this.isShown(cell)) return cell
    if (side === 'low') {
      const cells = others.map((fine) => this.cellOf(fine, node))
      const found = this.cheapest(cells, missing)
      if (found >= 0) return found
    }
    return this.lattice.hidden[cell] === 1 ? this.search(coarse, node, side, missing) : -1
  }

  /** The bound that follows from the finer sheets: their sum is at least, and each at most, the coarser count. */
  private inFiner(sheet: number, node: number, side: Side, binding: number, missing: number): number {
    const fine = (this.fineSheets[sheet] ?? []).filter((each) => node < this.nodesOf(each))
    if (fine.length === 0) return -1
    const cells = fine.map((each) => this.cellOf(each, node))
    if (side === 'low') {
      const at = cells.findIndex((cell) => this.bounds.low[cell] === binding)
      const cell = cells[at] ?? -1
      if (cell < 0) return -1
      return this.isShown(cell) ? cell : this.search(fine[at] ?? 0, node, side, missing)
    }
    let sum = 0
    for (const cell of cells) sum += this.bounds.high[cell] ?? 0
    if (sum !== binding) return -1
    const found = this.cheapest(cells, missing)
    if (found >= 0) return found
    const widest = fine.find((each) => this.lattice.hidden[this.cellOf(each, node)] === 1)
    return widest === undefined ? -1 : this.search(widest, node, side, missing)
  }

  private cheapestMember(sheet: number, group: number, missing: number): number {
    const { groupStart, groupEnd } = this.lattice.shape
    const end = this.cellOf(sheet, groupEnd[group] ?? 0)
    let best = -1
    for (let cell = this.cellOf(sheet, groupStart[group] ?? 0); cell < end; cell++)
      best = this.cheaper(best, cell, missing)
    return best
  }

  private cheapest(cells: number[], missing: number): number {
    let best = -1
    for (const cell of cells) best = this.cheaper(best, cell, missing)
    return best
  }

  /** Returns the better of two cells to hide: the smallest count above what is missing, otherwise the largest. */
  private cheaper(best: number, cell: number, missing: number): number {
    if (!this.isShown(cell)) return best
    if (best < 0) return cell
    const count = this.lattice.counts[cell] ?? 0
    const bestCount = this.lattice.counts[best] ?? 0
    if (count > missing !== bestCount > missing) return count > missing ? cell : best
    return count > missing === count < bestCount && count !== bestCount ? cell : best
  }

  private isShown(cell: number): boolean {
    const { counts, hidden, shape } = this.lattice
    return hidden[cell] === 0 && (counts[cell] ?? 0) > 0 && shape.isRemainder[cell % shape.nodeCount] === 0
  }

  private membersOf(group: number): number[] {
    const { groupStart, groupEnd } = this.lattice.shape
    const start = groupStart[group] ?? 0
    return Array.from({ length: (groupEnd[group] ?? 0) - start }, (_, at) => start + at)
  }

  /** The total is the parent of two groups. */
  private nextGroup(node: number, group: number): number {
    const { spaceGroupCount, groupParent } = this.lattice.shape
    return node === 0 && group < spaceGroupCount && spaceGroupCount < groupParent.length ? spaceGroupCount : -1
  }

  private nodesOf(sheet: number): number {
    return this.lattice.nodeCounts[sheet] ?? 0
  }

  private cellOf(sheet: number, node: number): number {
    return sheet * this.lattice.shape.nodeCount + node
  }
}
