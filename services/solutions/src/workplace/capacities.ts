import type { SpaceNode } from '../store/spaces.ts'
import type { Tree } from './tree.ts'

/** Returns the capacity of each space: its own, or the sum of those of the spaces in it. */
export function capacitiesOf({ nodes, parents }: Tree<SpaceNode>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [at, { id, capacity }] of [...nodes.entries()].reverse()) {
    const own = capacity ?? sums.get(id)
    if (own === undefined) continue
    sums.set(id, own)
    const parent = nodes[parents[at] ?? -1]
    if (parent !== undefined) sums.set(parent.id, (sums.get(parent.id) ?? 0) + own)
  }
  return sums
}
