import { HierarchyInputError } from '../errors.ts'

/** A forest by number: a parent is -1 for a root. Numbers of children are in the order of the input. */
export interface Tree {
  parents: Int32Array
  children: number[][]
  depths: Uint8Array
  /** All numbers, each after those of its children. */
  bottomUp: number[]
}

const maxDepth = 16

/** Builds a forest. @throws HierarchyInputError if an id is used twice, a parent is missing, or nodes form a circle */
export function buildTree(nodes: readonly { id: string; parent: string | null }[]): Tree {
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]))
  if (numbers.size < nodes.length) {
    const twice = nodes.find(({ id }, number) => numbers.get(id) !== number)
    throw new HierarchyInputError(`The node "${twice?.id}" is given twice.`)
  }
  const children = nodes.map((): number[] => [])
  const parents = Int32Array.from(nodes, ({ id, parent }, number) => {
    if (parent === null) return -1
    const above = numbers.get(parent)
    if (above === undefined) {
      throw new HierarchyInputError(`The parent "${parent}" of the node "${id}" is missing.`)
    }
    children[above]?.push(number)
    return above
  })
  const depths = new Uint8Array(nodes.length)
  const topDown: number[] = [...parents.keys()].filter((number) => parents[number] === -1)
  for (const number of topDown) {
    const depth = (depths[number] ?? 0) + 1
    if (depth > maxDepth) throw new HierarchyInputError(`The tree has more than ${maxDepth} levels.`)
    for (const child of children[number] ?? []) {
      depths[child] = depth
      topDown.push(child)
    }
  }
  if (topDown.length < nodes.length) {
    const reached = new Set(topDown)
    const lost = nodes.find((_, number) => !reached.has(number))
    throw new HierarchyInputError(`The node "${lost?.id}" is its own ancestor.`)
  }
  return { parents, children, depths, bottomUp: topDown.reverse() }
}

/** Returns the numbers of the leaves below each node, itself for a leaf. */
export function leavesBelow({ children, bottomUp }: Tree): number[][] {
  const leaves: number[][] = children.map(() => [])
  for (const number of bottomUp) {
    const below = children[number] ?? []
    leaves[number] = below.length === 0 ? [number] : below.flatMap((child) => leaves[child] ?? [])
  }
  return leaves
}
