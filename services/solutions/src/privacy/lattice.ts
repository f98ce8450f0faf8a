import type { LatticeShape } from './lattice-shape.ts'
import { unbounded } from './lattice-shape.ts'

/** Counts of different people at one moment, in the order of the forests of the shape. */
export interface SheetCounts {
  total: number
  spaces: ArrayLike<number>
  /** Missing where teams are not counted: in hours. */
  teams?: ArrayLike<number>
  /**
   * The index of the coarser sheet that contains this one (hour in day, day in week), or -1. A person counted in a
   * sheet is counted in the coarser one, and all sheets with people of a coarser one are given if any is.
   */
  within: number
}

/** The counts of a week (or of a day, or of a single moment), and the state of each cell. */
export interface Lattice {
  shape: LatticeShape
  sheetCount: number
  /** The coarser sheet of each sheet, or -1; coarser sheets come first. */
  within: Int32Array
  nodeCounts: Int32Array
  groupCounts: Int32Array
  /** Counts, at `sheet * shape.nodeCount + node`. */
  counts: Int32Array
  /** By how much the children of a group count more than its parent, as people were in several; by sheet and group. */
  overlaps: Int32Array
  /** 1 for what is not shown: suppressed cells, and remainders other than 0. */
  hidden: Uint8Array
}

/**
 * Returns the lattice of sheets; nothing is suppressed in it.
 * @throws RangeError when counts contradict each other: a child above its parent, an hour above its day, a day
 * above its hours together.
 */
export function createLattice(shape: LatticeShape, sheets: SheetCounts[]): Lattice {
  const size = shape.nodeCount
  const lattice: Lattice = {
    shape,
    sheetCount: sheets.length,
    within: Int32Array.from(sheets, ({ within }) => within),
    nodeCounts: Int32Array.from(sheets, ({ teams }) => (teams ? size : shape.spaceNodeCount)),
    groupCounts: Int32Array.from(sheets, ({ teams }) => (teams ? shape.groupParent.length : shape.spaceGroupCount)),
    counts: new Int32Array(sheets.length * size),
    overlaps: new Int32Array(sheets.length * shape.groupParent.length),
    hidden: new Uint8Array(sheets.length * size),
  }
  for (const [sheet, counts] of sheets.entries()) fillSheet(lattice, sheet, counts)
  for (const [coarse, fine] of fineSheetsOf(lattice).entries()) if (fine.length > 0) checkSums(lattice, coarse, fine)
  return lattice
}

/** Returns the most that a node can count in a sheet. A headcount that the count exceeds is out of date: no limit. */
export function capOf({ shape, counts }: Lattice, sheet: number, node: number): number {
  const cap = shape.cap[node] ?? unbounded
  return (counts[sheet * shape.nodeCount + node] ?? 0) > cap ? unbounded : cap
}

/** Orders cells by what hiding one takes from readers: hours before days, small counts before large, totals last. */
export function hidingCost(lattice: Lattice, cell: number): number {
  const { nodeCount } = lattice.shape
  const level = cell % nodeCount === 0 ? 1 : -coarserSheets(lattice, Math.floor(cell / nodeCount))
  return (lattice.counts[cell] ?? 0) + unbounded * level
}

/** A day counts as much as this many of its hours. */
const hoursOfDay = 12

/** Returns the people of hidden cells, those of hours in part. Totals do not count: they are in no answer. */
export function peopleHidden(lattice: Lattice): number {
  const { shape, hidden, counts } = lattice
  let people = 0
  for (const [cell, isHidden] of hidden.entries()) {
    const node = cell % shape.nodeCount
    if (isHidden === 0 || node === 0 || shape.isRemainder[node] === 1) continue
    const isHour = coarserSheets(lattice, Math.floor(cell / shape.nodeCount)) > 1
    people += (counts[cell] ?? 0) / (isHour ? hoursOfDay : 1)
  }
  return people
}

function coarserSheets({ within }: Lattice, sheet: number): number {
  let coarser = 0
  for (let at = within[sheet] ?? -1; at >= 0; at = within[at] ?? -1) coarser++
  return coarser
}

/** Returns the finer sheets of each sheet. */
export function fineSheetsOf({ sheetCount, within }: Lattice): number[][] {
  const fine: number[][] = Array.from({ length: sheetCount }, () => [])
  for (const [sheet, coarse] of within.entries()) fine[coarse]?.push(sheet)
  return fine
}

function fillSheet(lattice: Lattice, sheet: number, { total, spaces, teams, within }: SheetCounts): void {
  const { shape, counts } = lattice
  const base = sheet * shape.nodeCount
  if (within >= sheet) throw new RangeError('a coarser sheet must come before the finer one')
  counts[base] = total
  for (const [index, node] of shape.spaceNodes.entries()) counts[base + node] = spaces[index] ?? 0
  if (teams) for (const [index, node] of shape.teamNodes.entries()) counts[base + node] = teams[index] ?? 0
  addRemainders(lattice, sheet)
  if (within < 0) return
  for (let node = 0; node < (lattice.nodeCounts[sheet] ?? 0); node++) {
    if (shape.isRemainder[node] === 1) continue
    if ((counts[base + node] ?? 0) > (counts[within * shape.nodeCount + node] ?? 0))
      throw new RangeError('a finer count is above the coarser one')
  }
}

function checkSums({ shape, counts, nodeCounts }: Lattice, coarse: number, fine: number[]): void {
  for (let node = 0; node < (nodeCounts[fine[0] ?? 0] ?? 0); node++) {
    if (shape.isRemainder[node] === 1) continue
    let sum = 0
    for (const sheet of fine) sum += counts[sheet * shape.nodeCount + node] ?? 0
    if (sum < (counts[coarse * shape.nodeCount + node] ?? 0)) throw new RangeError('finer sheets are missing')
  }
}

function addRemainders({ shape, counts, overlaps, hidden, groupCounts }: Lattice, sheet: number): void {
  const base = sheet * shape.nodeCount
  for (let group = 0; group < (groupCounts[sheet] ?? 0); group++) {
    const parent = counts[base + (shape.groupParent[group] ?? 0)] ?? 0
    const remainder = (shape.groupEnd[group] ?? 0) - 1
    let sum = 0
    for (let node = shape.groupStart[group] ?? 0; node < remainder; node++) {
      const count = counts[base + node] ?? 0
      if (count > parent) throw new RangeError('the count of a child is above that of its parent')
      sum += count
    }
    counts[base + remainder] = Math.max(0, parent - sum)
    hidden[base + remainder] = parent > sum ? 1 : 0
    overlaps[sheet * shape.groupParent.length + group] = Math.max(0, sum - parent)
  }
}
