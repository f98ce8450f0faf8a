import type { Tree } from '../../../src/forecast/hierarchy/tree.ts'
import { buildTree } from '../../../src/forecast/hierarchy/tree.ts'

/** Returns a random tree of some nodes, whose parent is any node before them. */
export function randomTree(random: () => number, nodes: number): Tree {
  return buildTree(
    Array.from({ length: nodes }, (_, number) => ({
      id: `${number}`,
      parent: number === 0 ? null : `${Math.floor(random() * number)}`,
    })),
  )
}

/** Returns the largest difference between a parent and the sum of its children. */
export function largestGap({ children }: Tree, values: Float64Array): number {
  const gaps = children.map((below, number) =>
    below.length === 0 ? 0 : (values[number] ?? 0) - below.reduce((sum, child) => sum + (values[child] ?? 0), 0),
  )
  return Math.max(...gaps.map(Math.abs))
}
