import type { Highs } from 'highs'
import { type AttackerBounds, BoundsPropagation, isProtected } from './attacker-bounds.ts'
import { auditLattice } from './audit-lattice.ts'
import type { Unknown } from './audit-program.ts'
import { ComplementSearch } from './complement.ts'
import { fineSheetsOf, type Lattice, peopleHidden } from './lattice.ts'
import { type Forests, publishedSheets } from './published-lattice.ts'
import { type Attacker, hideSensitive, type PrivacyRule, type Protection, protectionOf } from './sensitive-cells.ts'
import { showUnneeded } from './show-unneeded.ts'

/**
 * Suppresses what the rule demands, in `lattice.hidden`: sensitive cells, and as many others that no hidden cell and no
 * sensitive remainder can be bounded tighter than its protection.
 */
export function suppress(lattice: Lattice, rule: PrivacyRule): void {
  if (rule.threshold < 2) throw new RangeError('the threshold must be at least 2')
  hideSensitive(lattice, rule)
  const sensitive = lattice.hidden.slice()
  // Which way hides less depends on the counts.
  const [first, second] = [false, true].map((prefersParts) => {
    const tried = { ...lattice, hidden: sensitive.slice() }
    hideUntilProtected(tried, rule, prefersParts)
    return tried
  })
  if (first && second) lattice.hidden.set((peopleHidden(second) < peopleHidden(first) ? second : first).hidden)
  showUnneeded(lattice, rule, sensitive)
}

/** Hides further cells until each hidden one is protected. @param prefersParts as of `ComplementSearch` */
function hideUntilProtected(lattice: Lattice, rule: PrivacyRule, prefersParts = false): void {
  const defences = [false, true].map((knowsZerosAreShown): Defence => {
    const attacker = { ...rule, knowsZerosAreShown }
    const propagation = new BoundsPropagation(lattice, attacker)
    const search = new ComplementSearch(lattice, propagation.bounds, prefersParts)
    return { attacker, propagation, search, stale: new Uint8Array(lattice.sheetCount).fill(1) }
  })
  // Ends: each round hides a cell, and what is hidden stays so.
  for (;;) {
    const due = defences.find(({ stale }) => stale.includes(1))
    if (!due) return
    due.propagation.run(due.stale)
    const stale = hideComplements(lattice, due)
    due.stale = stale
    for (const other of defences) {
      if (other !== due) for (const [sheet, isStale] of stale.entries()) other.stale[sheet] ||= isStale
    }
  }
}

/** The bounds that one attacker reaches, and the sheets in which they are out of date. */
interface Defence {
  attacker: Attacker
  propagation: BoundsPropagation
  search: ComplementSearch
  stale: Uint8Array<ArrayBuffer>
}

/**
 * Suppresses a lattice, audits it, and suppresses further until the audit finds nothing: bounds across hours, days and
 * weeks do not follow from single relations alone. Each sheet is audited with those in it.
 */
export function suppressAudited(highs: Highs, lattice: Lattice, forests: Forests, rule: PrivacyRule): void {
  suppress(lattice, rule)
  const noBounds = new Int32Array()
  const search = new ComplementSearch(lattice, { low: noBounds, high: noBounds })
  const pieces = piecesOf(lattice)
  let before: Uint8Array | undefined
  for (let due = pieces; due.length > 0; ) {
    const isChanged = (cell: number) => before === undefined || lattice.hidden[cell] !== before[cell]
    const chosen = new Set(
      due.flatMap((piece) =>
        auditPiece(highs, lattice, { forests, piece, rule, isChanged }).map((cell) =>
          search.nearest(Math.floor(cell / lattice.shape.nodeCount), cell % lattice.shape.nodeCount),
        ),
      ),
    )
    if (chosen.size === 0) return
    chosen.delete(-1)
    // Without anything shown nothing is narrowed, so this is a fault of the audit or of the search.
    if (chosen.size === 0) throw new Error('a cell cannot be protected by any suppression')
    before = lattice.hidden.slice()
    for (const cell of chosen) lattice.hidden[cell] = 1
    hideUntilProtected(lattice, rule)
    const changed = new Set(
      Array.from(lattice.hidden, (_, cell) => (isChanged(cell) ? Math.floor(cell / lattice.shape.nodeCount) : -1)),
    )
    due = pieces.filter((piece) => piece.some((sheet) => changed.has(sheet)))
  }
}

/** Returns the sheets that are audited together: each one that contains others, before those. */
function piecesOf(lattice: Lattice): number[][] {
  if (lattice.sheetCount === 1) return [[0]]
  return fineSheetsOf(lattice).flatMap((fine, coarse) => (fine.length === 0 ? [] : [[coarse, ...fine]]))
}

interface Piece {
  forests: Forests
  /** The first one contains the others. */
  piece: readonly number[]
  rule: PrivacyRule
  isChanged: (cell: number) => boolean
}

/** Returns the cells of a piece that are not protected. */
function auditPiece(highs: Highs, lattice: Lattice, { forests, piece, rule, isChanged }: Piece): number[] {
  const published = publishedSheets(lattice)
  const sheets = piece.flatMap((sheet, at) => {
    const own = published[sheet]
    return own === undefined ? [] : [{ ...own, within: at === 0 ? -1 : 0 }]
  })
  const cellOf = (cell: Unknown) => (piece[cell.sheet] ?? 0) * lattice.shape.nodeCount + nodeOf(lattice, cell)
  return auditLattice(highs, { ...forests, sheets }, rule, (cell) => isChanged(cellOf(cell))).map(({ cell }) =>
    cellOf(cell),
  )
}

function nodeOf({ shape }: Lattice, { of, index, isRemainder }: Unknown): number {
  const node = index < 0 ? 0 : ((of === 'team' ? shape.teamNodes : shape.spaceNodes)[index] ?? 0)
  if (!isRemainder) return node
  const group = index < 0 && of === 'team' && shape.spaceNodes.length > 0 ? shape.spaceGroupCount : shape.parentOf[node]
  return (shape.groupEnd[group ?? 0] ?? 0) - 1
}

/**
 * Hides a cell for each hidden one that is bounded too tightly in the sheets marked; one a group and round. Marks the
 * sheets whose bounds are out of date then.
 */
function hideComplements(
  lattice: Lattice,
  { attacker, propagation: { bounds }, search, stale: isDue }: Defence,
): Uint8Array<ArrayBuffer> {
  const { shape, hidden, within } = lattice
  const chosen = new Set<number>()
  const unsafe = new Set<number>()
  for (let sheet = 0; sheet < lattice.sheetCount; sheet++) {
    if (isDue[sheet] === 0) continue
    let lastGroup = -2
    for (let node = 0; node < (lattice.nodeCounts[sheet] ?? 0); node++) {
      const cell = sheet * shape.nodeCount + node
      if (hidden[cell] === 0 || shape.memberOf[node] === lastGroup) continue
      const protection = protectionOf(lattice, sheet, node, attacker)
      if (!protection || isProtected(bounds, cell, protection)) continue
      lastGroup = shape.memberOf[node] ?? -2
      const complement = complementOf(search, bounds, sheet, node, cell, protection)
      if (complement >= 0) chosen.add(complement)
      else unsafe.add(sheet)
    }
  }
  const stale = new Uint8Array(lattice.sheetCount)
  if (chosen.size === 0 && unsafe.size > 0) {
    // Bounds that are out of date may be the reason, so that all are computed once more before all is hidden.
    if (isDue.includes(0)) return stale.fill(1)
    let isAnyHidden = false
    for (const sheet of unsafe) isAnyHidden = hideAll(lattice, sheet) || isAnyHidden
    return isAnyHidden ? stale.fill(1) : stale
  }
  for (const cell of chosen) {
    hidden[cell] = 1
    const sheet = Math.floor(cell / shape.nodeCount)
    stale[sheet] = 1
    if ((within[sheet] ?? -1) >= 0) stale[within[sheet] ?? 0] = 1
    for (const [fine, coarse] of within.entries()) if (coarse === sheet) stale[fine] = 1
  }
  return stale
}

function complementOf(
  search: ComplementSearch,
  { low, high }: AttackerBounds,
  sheet: number,
  node: number,
  cell: number,
  protection: Protection,
): number {
  const least = low[cell] ?? 0
  const most = high[cell] ?? 0
  const missing = Math.max(protection.width - (most - least), protection.high - most, 0)
  const raised = least > protection.low ? -1 : search.find(sheet, node, 'high', missing)
  return search.leastCostly([raised, search.find(sheet, node, 'low', Math.max(missing, least - protection.low))])
}

/** Hides everything but 0 in a sheet, or if that is so already, in those it is within. Returns if any was shown. */
function hideAll(lattice: Lattice, sheet: number): boolean {
  const { shape, counts, hidden } = lattice
  let isChanged = false
  for (let node = 0; node < (lattice.nodeCounts[sheet] ?? 0); node++) {
    const cell = sheet * shape.nodeCount + node
    if (hidden[cell] === 1 || (counts[cell] ?? 0) === 0) continue
    hidden[cell] = 1
    isChanged = true
  }
  const coarse = lattice.within[sheet] ?? -1
  return isChanged || (coarse >= 0 && hideAll(lattice, coarse))
}
