import type { SpaceNode } from '../store/spaces.ts'
import type { Tree } from './tree.ts'

type Places = Tree<SpaceNode>

/** Returns the capacity of each space by position: its own, or the sum of those of the spaces in it. */
export function capacitiesOf({ nodes, parents }: Places): (number | null)[] {
  const capacities = nodes.map(({ capacity }) => capacity)
  const sums = new Map<number, number>()
  // Children come after their parents.
  for (let at = nodes.length - 1; at >= 0; at--) {
    const capacity = capacities[at] ?? sums.get(at) ?? null
    capacities[at] = capacity
    const parent = parents[at] ?? -1
    if (capacity !== null) sums.set(parent, (sums.get(parent) ?? 0) + capacity)
  }
  return capacities
}

/**
 * Marks the spaces that the spaces directly in them make up: those with at least the capacity that the space states,
 * and where it states none, those of which no part is a room. Rooms are seldom all of a floor.
 */
export function dividedSpaces(tree: Places): Uint8Array {
  const { nodes, parents } = tree
  const held = new Map<number, number>()
  const hasRooms = new Set<number>()
  const capacities = capacitiesOf(tree)
  for (const [at, { kind }] of nodes.entries()) {
    const parent = parents[at] ?? -1
    held.set(parent, (held.get(parent) ?? 0) + (capacities[at] ?? 0))
    if (kind === 'room') hasRooms.add(parent)
  }
  return Uint8Array.from(nodes, ({ capacity }, at) =>
    Number(held.has(at) && (capacity === null ? !hasRooms.has(at) : (held.get(at) ?? 0) >= capacity)),
  )
}
