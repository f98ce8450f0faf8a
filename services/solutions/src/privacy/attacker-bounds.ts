import { capOf, fineSheetsOf, type Lattice } from './lattice.ts'
import { unbounded } from './lattice-shape.ts'
import { type Attacker, floorOf, type Protection } from './sensitive-cells.ts'

/** The bounds that an attacker knows of each cell, by sheet and node as in `Lattice.counts`. */
export interface AttackerBounds {
  low: Int32Array
  high: Int32Array
}

/** Passes over a block of sheets; more are never needed in practice, and fewer only give wider bounds. */
const maxPasses = 30

/**
 * Narrows the bounds of cells to what follows from those shown.
 *
 * In a sheet one pass up and one down give exact bounds, as groups form a tree and share single cells. The overlap of
 * a group counts as known to the attacker, and the parent as a limit for each child; so the bounds are at least as
 * tight as those from sub-additivity alone. Across sheets the passes are repeated until nothing changes.
 */
export class BoundsPropagation {
  readonly bounds: AttackerBounds
  private readonly lattice: Lattice
  private readonly attacker: Attacker
  private readonly lowest: Int32Array
  private readonly sums: Float64Array
  private readonly fineSheets: number[][]
  private readonly openGroups: number[][] = []
  private readonly isChanged: Uint8Array
  private readonly wasChanged: Uint8Array

  constructor(lattice: Lattice, attacker: Attacker) {
    this.lattice = lattice
    this.attacker = attacker
    this.bounds = { low: new Int32Array(lattice.counts.length), high: new Int32Array(lattice.counts.length) }
    this.lowest = new Int32Array(lattice.shape.nodeCount)
    this.sums = new Float64Array(lattice.shape.nodeCount)
    this.fineSheets = fineSheetsOf(lattice)
    this.isChanged = new Uint8Array(lattice.sheetCount)
    this.wasChanged = new Uint8Array(lattice.sheetCount)
  }

  /**
   * Computes the bounds of the sheets marked, from those of the others as they are. What was hidden since then only
   * widens bounds, so bounds that are out of date are tighter than the true ones: safe to rely on.
   */
  run(isStale: Uint8Array): AttackerBounds {
    const { sheetCount } = this.lattice
    this.isChanged.set(isStale)
    for (let sheet = 0; sheet < sheetCount; sheet++) if (isStale[sheet] === 1) this.reset(sheet)
    for (let pass = 0; pass < maxPasses && this.isChanged.includes(1); pass++) {
      for (let sheet = 0; sheet < sheetCount; sheet++) {
        if (this.isChanged[sheet] === 1 && isStale[sheet] === 1) this.narrowSheet(sheet)
      }
      this.wasChanged.set(this.isChanged)
      this.isChanged.fill(0)
      for (const [coarse, fine] of this.fineSheets.entries()) {
        const isDue = this.wasChanged[coarse] === 1 || fine.some((sheet) => this.wasChanged[sheet] === 1)
        if (isDue && fine.length > 0) this.narrowAcross(coarse, fine, isStale)
      }
    }
    return this.bounds
  }

  private reset(sheet: number): void {
    const { lattice, attacker } = this
    const { low, high } = this.bounds
    const base = sheet * lattice.shape.nodeCount
    for (let node = 0; node < (lattice.nodeCounts[sheet] ?? 0); node++) {
      const cell = base + node
      const count = lattice.counts[cell] ?? 0
      const isHidden = lattice.hidden[cell] === 1
      low[cell] = isHidden ? floorOf(lattice, node, attacker) : count
      high[cell] = isHidden ? capOf(lattice, sheet, node) : count
    }
    this.findOpenGroups(sheet)
  }

  /** Lists the groups with a hidden cell. The others say nothing. */
  private findOpenGroups(sheet: number): void {
    const { shape, hidden, groupCounts } = this.lattice
    const base = sheet * shape.nodeCount
    const open: number[] = []
    for (let group = 0; group < (groupCounts[sheet] ?? 0); group++) {
      let isOpen = hidden[base + (shape.groupParent[group] ?? 0)] === 1
      const end = shape.groupEnd[group] ?? 0
      for (let node = shape.groupStart[group] ?? 0; node < end && !isOpen; node++) isOpen = hidden[base + node] === 1
      if (isOpen) open.push(group)
    }
    this.openGroups[sheet] = open
  }

  private narrowSheet(sheet: number): void {
    const groups = this.openGroups[sheet] ?? []
    for (let at = groups.length - 1; at >= 0; at--) this.narrowGroup(sheet, groups[at] ?? 0)
    for (const group of groups) this.narrowGroup(sheet, group)
  }

  /** Narrows the parent by its members and the members by the parent and each other. */
  private narrowGroup(sheet: number, group: number): void {
    const { shape, overlaps } = this.lattice
    const { low, high } = this.bounds
    const base = sheet * shape.nodeCount
    const parent = base + (shape.groupParent[group] ?? 0)
    const start = base + (shape.groupStart[group] ?? 0)
    const end = base + (shape.groupEnd[group] ?? 0)
    const overlap = overlaps[sheet * shape.groupParent.length + group] ?? 0
    let lowSum = -overlap
    let highSum = -overlap
    let highestLow = 0
    for (let cell = start; cell < end; cell++) {
      const cellLow = low[cell] ?? 0
      lowSum += cellLow
      highSum += high[cell] ?? 0
      if (cellLow > highestLow) highestLow = cellLow
    }
    this.narrow(parent, Math.max(lowSum, highestLow), highSum)
    const parentLow = low[parent] ?? 0
    const parentHigh = high[parent] ?? 0
    if (lowSum === highSum) return
    for (let cell = start; cell < end; cell++) {
      const cellLow = low[cell] ?? 0
      const cellHigh = high[cell] ?? 0
      if (cellLow === cellHigh) continue
      const most = Math.min(parentHigh, parentHigh - (lowSum - cellLow))
      this.narrow(cell, parentLow - (highSum - cellHigh), most)
    }
  }

  /** Narrows a coarser sheet and those in it: none is above the coarser one, and together they are not below it. */
  private narrowAcross(coarse: number, fineSheets: number[], isStale: Uint8Array): void {
    const { lattice, lowest, sums } = this
    const { low, high } = this.bounds
    const size = lattice.shape.nodeCount
    const nodes = lattice.nodeCounts[fineSheets[0] ?? 0] ?? 0
    lowest.fill(0)
    sums.fill(0)
    for (const fine of fineSheets) {
      for (let node = 0, cell = fine * size; node < nodes; node++, cell++) {
        const cellLow = low[cell] ?? 0
        if (cellLow > (lowest[node] ?? 0)) lowest[node] = cellLow
        sums[node] = (sums[node] ?? 0) + (high[cell] ?? 0)
      }
    }
    if (isStale[coarse] === 1) {
      for (let node = 0, cell = coarse * size; node < nodes; node++, cell++) {
        if (lattice.hidden[cell] === 0 || lattice.shape.isRemainder[node] === 1) continue
        if (this.narrow(cell, lowest[node] ?? 0, sums[node] ?? 0)) this.isChanged[coarse] = 1
      }
    }
    for (const fine of fineSheets) {
      if (isStale[fine] === 0) continue
      for (let node = 0, cell = fine * size; node < nodes; node++, cell++) {
        if (lattice.hidden[cell] === 0 || lattice.shape.isRemainder[node] === 1) continue
        const others = (sums[node] ?? 0) - (high[cell] ?? 0)
        const coarseCell = coarse * size + node
        if (this.narrow(cell, (low[coarseCell] ?? 0) - others, high[coarseCell] ?? 0)) this.isChanged[fine] = 1
      }
    }
  }

  private narrow(cell: number, least: number, most: number): boolean {
    const { low, high } = this.bounds
    let changed = false
    if (least > (low[cell] ?? 0)) {
      low[cell] = least
      changed = true
    }
    // Half of it, as sums with an unbounded cell may be a little below: they are no bound.
    if (most < (high[cell] ?? 0) && most < unbounded / 2) {
      high[cell] = most
      changed = true
    }
    return changed
  }
}

/** Returns true if the bounds of a cell are as wide as its protection. */
export function isProtected({ low, high }: AttackerBounds, cell: number, protection: Protection): boolean {
  const least = low[cell] ?? 0
  const most = high[cell] ?? 0
  return most - least >= protection.width && most >= protection.high && least <= protection.low
}
