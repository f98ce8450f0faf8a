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
 * it and of others. Everything longer is made of hours that are shown, and tells no more. Counters that contradict each
 * other are read in two ways: as not adding up where they do not, and as adding up wherever the shown levels allow it.
 *
 * @param parents the parent of each space, -1 for a root; parents come before their children
 */
export function auditLevels(
  highs: Highs,
  parents: ArrayLike<number>,
  sheets: readonly PublishedLevels[],
  threshold: number,
): LevelViolation[] {
  const rule = { threshold: threshold * minutesPerHour, protectAbsent: false }
  return sheets.flatMap((published, sheet) => {
    const found = readingsOf(parents, published).flatMap((counts) => {
      const suppressed = Uint8Array.from(counts, (count, at) => Number(count > 0 && published.suppressed[at] === 1))
      const levels = { total: null, isTotalSuppressed: true, spaces: { counts, suppressed }, within: -1 }
      const spaces = { parents: whereAddedUp(parents, counts) }
      return auditLattice(highs, { spaces, teams: { parents: [] }, sheets: [levels] }, rule)
    })
    return [...new Map(found.map(({ cell, low, high }) => [cell.index, { low, high }]))]
      .filter(([at]) => published.sensitive[at] === 1 && (published.minutes[at] ?? 0) < rule.threshold)
      .map(([space, { low, high }]) => ({ sheet, space, low: low / minutesPerHour, high: high / minutesPerHour }))
  })
}

/** Returns the parents of spaces, -1 for those in a space that counts less than they do together. */
function whereAddedUp(parents: ArrayLike<number>, levels: ArrayLike<number>): number[] {
  const own = ownParts(parents, levels)
  return Array.from(parents, (parent) => ((own[parent] ?? 0) < 0 ? -1 : parent))
}

/** Returns the levels less those of the spaces in them: below 0 where counters contradict each other. */
function ownParts(parents: ArrayLike<number>, levels: ArrayLike<number>): number[] {
  const own = Array.from(levels)
  for (const [at, parent] of Array.from(parents).entries())
    if (parent >= 0) own[parent] = (own[parent] ?? 0) - (levels[at] ?? 0)
  return own
}

/** Returns the levels, and if they contradict each other, also with each hidden one as low as the shown ones allow. */
function readingsOf(parents: ArrayLike<number>, { minutes, suppressed }: PublishedLevels): ArrayLike<number>[] {
  const own = ownParts(parents, minutes)
  if (own.every((part) => part >= 0)) return [minutes]
  const least = Array.from(minutes)
  const within = least.map(() => 0)
  for (let at = least.length - 1; at >= 0; at--) {
    if (suppressed[at] === 1) least[at] = (within[at] ?? 0) + Number(own[at] !== 0)
    const parent = parents[at] ?? -1
    if (parent >= 0) within[parent] = (within[parent] ?? 0) + (least[at] ?? 0)
  }
  return [minutes, least]
}
