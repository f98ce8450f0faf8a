/** The stand-in for "not bounded". Sums of it over a tree stay exact in a double. */
export const unbounded = 2 ** 29

/** A tree as the parent of each node, -1 for a root, in any order. */
export interface Forest {
  parents: ArrayLike<number>
  /** People that belong to a node and to everything below it, or null if that is not known. */
  headcounts?: ArrayLike<number | null>
}

/**
 * The cells of one moment: the total, the spaces and the teams, and a *remainder* for each node with children: the
 * people who are at the node and at none of its children. A remainder is never shown, but can be computed when the rest
 * of its group is. A *group* is a node and its children with the remainder; their counts add up.
 *
 * Node 0 is the total. The members of a group have consecutive numbers, groups are in the order parent before child,
 * and what belongs to spaces comes before what belongs to teams.
 */
export interface LatticeShape {
  nodeCount: number
  /** The nodes and groups of the total and the spaces; hours have these only. */
  spaceNodeCount: number
  spaceGroupCount: number
  groupParent: Int32Array
  groupStart: Int32Array
  groupEnd: Int32Array
  /** The group in which a node is a member; -1 for the total. */
  memberOf: Int32Array
  /** The group of which a node is the parent, or -1; that of the spaces for the total. */
  parentOf: Int32Array
  isRemainder: Uint8Array
  /** The most that a node can count, from headcounts. */
  cap: Int32Array
  /** The node of each space and of each team, in the order of the forests. */
  spaceNodes: Int32Array
  teamNodes: Int32Array
}

/**
 * Returns the shape of a forest of spaces and a forest of teams.
 * @throws RangeError when a parent is not a node or the parents form a circle.
 */
export function latticeShape(spaces: Forest, teams: Forest = { parents: [] }): LatticeShape {
  const builder = new ShapeBuilder(2 * (spaces.parents.length + teams.parents.length) + 3)
  const spaceNodes = builder.addForest(spaces)
  const spaceNodeCount = builder.nodeCount
  const spaceGroupCount = builder.groupParent.length
  const teamNodes = builder.addForest(teams)
  const { nodeCount, memberOf, parentOf, isRemainder, cap } = builder
  return {
    nodeCount,
    spaceNodeCount,
    spaceGroupCount,
    groupParent: Int32Array.from(builder.groupParent),
    groupStart: Int32Array.from(builder.groupStart),
    groupEnd: Int32Array.from(builder.groupEnd),
    memberOf: memberOf.slice(0, nodeCount),
    parentOf: parentOf.slice(0, nodeCount),
    isRemainder: isRemainder.slice(0, nodeCount),
    cap: cap.slice(0, nodeCount),
    spaceNodes,
    teamNodes,
  }
}

class ShapeBuilder {
  nodeCount = 1
  readonly groupParent: number[] = []
  readonly groupStart: number[] = []
  readonly groupEnd: number[] = []
  readonly memberOf: Int32Array
  readonly parentOf: Int32Array
  readonly isRemainder: Uint8Array
  readonly cap: Int32Array

  constructor(capacity: number) {
    this.memberOf = new Int32Array(capacity).fill(-1)
    this.parentOf = new Int32Array(capacity).fill(-1)
    this.isRemainder = new Uint8Array(capacity)
    this.cap = new Int32Array(capacity).fill(unbounded)
  }

  /** Adds the nodes of a forest, breadth first, and returns them in the order of the forest. */
  addForest({ parents, headcounts }: Forest): Int32Array {
    const nodes = new Int32Array(parents.length).fill(-1)
    if (parents.length === 0) return nodes
    const children = childrenOf(parents)
    const caps = capsOf(children, headcounts)
    let placed = 0
    const queue = [-1]
    for (let at = 0; at < queue.length; at++) {
      const index = queue[at] ?? -1
      const members = children[index + 1] ?? []
      if (members.length === 0) continue
      const parent = index < 0 ? 0 : (nodes[index] ?? 0)
      const group = this.groupParent.push(parent) - 1
      if (index >= 0 || this.parentOf[0] === -1) this.parentOf[parent] = group
      this.groupStart.push(this.nodeCount)
      let rest = this.cap[parent] ?? unbounded
      for (const member of members) {
        const cap = Math.min(caps[member] ?? unbounded, this.cap[parent] ?? unbounded)
        nodes[member] = this.addNode(group, cap)
        rest -= cap
        queue.push(member)
        placed++
      }
      const everyCapIsKnown = members.every((member) => (caps[member] ?? unbounded) < unbounded)
      this.isRemainder[this.addNode(group, everyCapIsKnown && parent > 0 ? rest : (this.cap[parent] ?? unbounded))] = 1
      this.groupEnd.push(this.nodeCount)
    }
    if (placed < parents.length) throw new RangeError('the parents of a tree form a circle')
    return nodes
  }

  private addNode(group: number, cap: number): number {
    this.memberOf[this.nodeCount] = group
    this.cap[this.nodeCount] = Math.max(0, Math.min(cap, unbounded))
    return this.nodeCount++
  }
}

/** Returns the children of each node at its number plus one, the roots at 0. */
function childrenOf(parents: ArrayLike<number>): number[][] {
  const children: number[][] = Array.from({ length: parents.length + 1 }, () => [])
  for (let index = 0; index < parents.length; index++) {
    const siblings = children[(parents[index] ?? -1) + 1]
    if (!siblings) throw new RangeError(`the parent of node ${index} is not a node`)
    siblings.push(index)
  }
  return children
}

/** Returns the headcounts, raised where the children of a node have more members than the node. */
function capsOf(children: number[][], headcounts: Forest['headcounts']): Float64Array {
  const caps = new Float64Array(children.length - 1).fill(unbounded)
  if (!headcounts) return caps
  const order: number[] = [...(children[0] ?? [])]
  for (let at = 0; at < order.length; at++) order.push(...(children[(order[at] ?? 0) + 1] ?? []))
  for (const index of order.toReversed()) {
    let below = 0
    for (const child of children[index + 1] ?? []) {
      const cap = caps[child] ?? unbounded
      if (cap < unbounded) below += cap
    }
    const headcount = headcounts[index]
    caps[index] = headcount == null ? unbounded : Math.max(headcount, below)
  }
  return caps
}
