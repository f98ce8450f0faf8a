import type { Lattice } from './lattice.ts'
import type { Forest } from './lattice-shape.ts'

/** The cells of one kind at one moment: the true counts, and 1 for each that is suppressed. */
interface PublishedCells {
  counts: ArrayLike<number>
  suppressed: ArrayLike<number>
}

export interface PublishedSheet {
  /** The number of all people; null if nothing is told of it, so that spaces and teams have nothing in common. */
  total: number | null
  isTotalSuppressed: boolean
  spaces: PublishedCells
  /** Missing where teams are not counted: in hours. */
  teams?: PublishedCells
  /** The index of the coarser sheet that contains this one, or -1. */
  within: number
}

export interface Forests {
  spaces: Forest
  teams: Forest
}

/** Everything that is published about a week, in the order of the forests. */
export interface PublishedLattice extends Forests {
  sheets: PublishedSheet[]
}

export function publishedSheets(lattice: Lattice): PublishedSheet[] {
  const { shape, counts, hidden } = lattice
  return Array.from({ length: lattice.sheetCount }, (_, sheet) => {
    const base = sheet * shape.nodeCount
    const cellsOf = (nodes: Int32Array): PublishedCells => ({
      counts: nodes.map((node) => counts[base + node] ?? 0),
      suppressed: Uint8Array.from(nodes, (node) => hidden[base + node] ?? 0),
    })
    const published: PublishedSheet = {
      total: counts[base] ?? 0,
      isTotalSuppressed: hidden[base] === 1,
      spaces: cellsOf(shape.spaceNodes),
      within: lattice.within[sheet] ?? -1,
    }
    if (lattice.nodeCounts[sheet] === shape.nodeCount) published.teams = cellsOf(shape.teamNodes)
    return published
  })
}
