import { capOf, type Lattice } from './lattice.ts'
import { unbounded } from './lattice-shape.ts'

export interface PrivacyRule {
  /** The smallest number of people that may be told of: 5 or more. */
  threshold: number
  /** Treats those who are absent as a cell too: 18 of a team of 20 tells of 2 people. True if omitted. */
  protectAbsent?: boolean
}

/**
 * Decides for a cell if it tells of fewer people than the threshold:
 * - *few present*: between 0 and the threshold;
 * - *few absent*: the same of the headcount less the count;
 * - *small group*: a headcount below the threshold, at any count, 0 included.
 *
 * Nothing and everything of a larger group are not sensitive: an empty floor may be shown.
 */
export function isSensitive(lattice: Lattice, sheet: number, node: number, rule: PrivacyRule): boolean {
  const { shape } = lattice
  // Of spaces it is a bound, as people may be in several: nothing is published of it, and little is told.
  if (shape.isRemainder[node] === 1 && node < shape.spaceNodeCount) return false
  const count = lattice.counts[sheet * shape.nodeCount + node] ?? 0
  if (isSmallGroup(lattice, node, rule)) return true
  return (count > 0 && count < rule.threshold) || hasFewAbsent(lattice, sheet, node, rule)
}

export function isSmallGroup({ shape }: Lattice, node: number, { threshold }: PrivacyRule): boolean {
  const cap = shape.cap[node] ?? unbounded
  return cap > 0 && cap < threshold
}

function hasFewAbsent(lattice: Lattice, sheet: number, node: number, rule: PrivacyRule): boolean {
  if (rule.protectAbsent === false) return false
  const cap = capOf(lattice, sheet, node)
  const absent = cap - (lattice.counts[sheet * lattice.shape.nodeCount + node] ?? 0)
  return cap < unbounded && absent > 0 && absent < rule.threshold
}

/** Hides all sensitive cells and remainders. */
export function hideSensitive(lattice: Lattice, rule: PrivacyRule): void {
  const { shape, counts, hidden } = lattice
  for (let sheet = 0; sheet < lattice.sheetCount; sheet++) {
    const base = sheet * shape.nodeCount
    for (let node = 0; node < (lattice.nodeCounts[sheet] ?? 0); node++) {
      if (!isSensitive(lattice, sheet, node, rule)) continue
      // The parent comes first in the order of nodes. What a shown 0 contains is known to be 0.
      const parent = shape.groupParent[shape.memberOf[node] ?? -1] ?? -1
      const isKnownZero = parent >= 0 && (counts[base + parent] ?? 0) === 0 && hidden[base + parent] === 0
      if (!isKnownZero) hidden[base + node] = 1
    }
  }
}

/**
 * An attacker who reads the shown cells alone, or who also knows that every 0 is shown, so that a suppressed cell is at
 * least 1. Cells are protected from both.
 */
export interface Attacker extends PrivacyRule {
  knowsZerosAreShown: boolean
}

/** The least that a hidden cell is known to count; 0 in a small group in any case. */
export function floorOf(lattice: Lattice, node: number, attacker: Attacker): number {
  return isSmallGroup(lattice, node, attacker) || !attacker.knowsZerosAreShown ? 0 : 1
}

/** The bounds that an attacker may reach at most, as three conditions on `[low, high]`. */
export interface Protection {
  /** `high - low` is this or more. */
  width: number
  /** `high` is this or more. */
  high: number
  /** `low` is this or less. */
  low: number
}

/**
 * Returns the protection that a hidden cell needs, or null for a remainder that is not sensitive. It never exceeds
 * what is known without anything shown: 0 or 1 to the headcount. To know that a cell is not 0 is no narrowing: from 1
 * on, the width is one less.
 */
export function protectionOf(lattice: Lattice, sheet: number, node: number, rule: Attacker): Protection | null {
  const sensitive = isSensitive(lattice, sheet, node, rule)
  if (!sensitive && lattice.shape.isRemainder[node] === 1) return null
  const cap = capOf(lattice, sheet, node)
  const floor = floorOf(lattice, node, rule)
  const isFew = (lattice.counts[sheet * lattice.shape.nodeCount + node] ?? 0) < rule.threshold
  return {
    width: Math.min(rule.threshold - (rule.knowsZerosAreShown ? 1 : 0), cap - floor),
    high: isFew ? Math.min(rule.threshold, cap) : 0,
    low: hasFewAbsent(lattice, sheet, node, rule) ? Math.max(floor, cap - rule.threshold) : unbounded,
  }
}
