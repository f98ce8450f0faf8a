import type { Highs } from 'highs'
import { auditLattice } from './audit-lattice.ts'

/** Levels of an hour as published, by space: people summed over its minutes. */
export interface PublishedLevels {
  minutes: ArrayLike<number>
  /** 1 for a level about fewer people than the threshold. */
  sensitive: ArrayLike<number>
  /** 1 for what is not shown. */
  suppressed: ArrayLike<number>
}

/** A sensitive level that the shown ones bound tighter than by the threshold, in people on average. */
export interface LevelViolation {
  sheet: number
  space: number
  low: number
  high: number
}

const minutesPerHour = 60

/**
 * Bounds each sensitive level by linear programs over all levels of its hour, of which a space is the sum of those in
 * it and of others. Everything longer is made of hours that are shown, and tells no more.
 *
 * @param parents the parent of each space, -1 for a root; parents come before their children
 */
export function auditLevels(
  highs: Highs,
  parents: ArrayLike<number>,
  sheets: readonly PublishedLevels[],
  threshold: number,
): LevelViolation[] {
  const least = threshold * minutesPerHour
  const levels = sheets.map(({ minutes }) => withContents(parents, minutes))
  const lattice = {
    spaces: { parents },
    teams: { parents: [] },
    sheets: sheets.map(({ suppressed }, sheet) => {
      const counts = levels[sheet] ?? []
      const hidden = Uint8Array.from(counts, (count, at) => Number(count > 0 && suppressed[at] === 1))
      return { total: null, isTotalSuppressed: true, spaces: { counts, suppressed: hidden }, within: -1 }
    }),
  }
  const rule = { threshold: least, protectAbsent: false }
  return auditLattice(highs, lattice, rule)
    .filter(
      ({ cell: { sheet, index } }) => sheets[sheet]?.sensitive[index] === 1 && (levels[sheet]?.[index] ?? 0) < least,
    )
    .map(({ cell, low, high }) => ({
      sheet: cell.sheet,
      space: cell.index,
      low: low / minutesPerHour,
      high: high / minutesPerHour,
    }))
}

/** Raises levels to the sum of those within: where counters contradict each other, the difference counts as known. */
function withContents(parents: ArrayLike<number>, minutes: ArrayLike<number>): number[] {
  const levels = Array.from(minutes)
  const sums = levels.map(() => 0)
  for (let at = levels.length - 1; at >= 0; at--) {
    levels[at] = Math.max(levels[at] ?? 0, sums[at] ?? 0)
    const parent = parents[at] ?? -1
    if (parent >= 0) sums[parent] = (sums[parent] ?? 0) + (levels[at] ?? 0)
  }
  return levels
}
