import { type AttackerBounds, BoundsPropagation, isProtected } from './attacker-bounds.ts'
import { hidingCost, type Lattice } from './lattice.ts'
import { type Attacker, type PrivacyRule, protectionOf } from './sensitive-cells.ts'

/** Bounds that are computed to find what need not be hidden: 0.3 s for a week of 500 people. */
const maxBounds = 3_000_000

/**
 * Shows hidden cells again without which the others stay protected: what was hidden first may not be needed once more
 * is hidden. Those that readers miss most come first, and in a large lattice only few of them.
 *
 * @param sensitive 1 for cells that stay hidden
 */
export function showUnneeded(lattice: Lattice, rule: PrivacyRule, sensitive: Uint8Array): void {
  const { hidden, shape, counts } = lattice
  const unneeded = [...hidden.keys()]
    .filter((cell) => hidden[cell] === 1 && sensitive[cell] === 0 && shape.isRemainder[cell % shape.nodeCount] === 0)
    .map((cell) => ({ cell, cost: hidingCost(lattice, cell) }))
    .sort((a, b) => b.cost - a.cost)
  const defences = [false, true].map((knowsZerosAreShown) => {
    const attacker = { ...rule, knowsZerosAreShown }
    return { attacker, propagation: new BoundsPropagation(lattice, attacker) }
  })
  const everySheet = new Uint8Array(lattice.sheetCount).fill(1)
  for (const { cell } of unneeded.slice(0, Math.floor(maxBounds / counts.length))) {
    hidden[cell] = 0
    const isNeeded = defences.some(
      ({ attacker, propagation }) => !areProtected(lattice, propagation.run(everySheet), attacker),
    )
    if (isNeeded) hidden[cell] = 1
  }
}

function areProtected(lattice: Lattice, bounds: AttackerBounds, attacker: Attacker): boolean {
  const { nodeCount } = lattice.shape
  return lattice.hidden.every((isHidden, cell) => {
    const protection =
      isHidden === 0 ? null : protectionOf(lattice, Math.floor(cell / nodeCount), cell % nodeCount, attacker)
    return protection === null || isProtected(bounds, cell, protection)
  })
}
