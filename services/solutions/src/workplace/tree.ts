/** A node of the tree of spaces or teams. */
export interface TreeNode {
  id: string
  parentId: string | null
}

/** A tree as arrays over the positions of its nodes: parents come before their children. */
export interface Tree<Node extends TreeNode = TreeNode> {
  nodes: readonly Node[]
  /** The position of the parent of each node; -1 for a root. */
  parents: Int32Array
  positions: ReadonlyMap<string, number>
}

/** Orders nodes so that parents come first. A node whose parent does not exist is a root. */
export function buildTree<Node extends TreeNode>(nodes: readonly Node[]): Tree<Node> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const children = Map.groupBy(nodes, ({ parentId }) => (parentId !== null && byId.has(parentId) ? parentId : null))
  const ordered: Node[] = [...(children.get(null) ?? [])]
  for (let at = 0; at < ordered.length; at++) {
    const node = ordered[at]
    if (node !== undefined) ordered.push(...(children.get(node.id) ?? []))
  }
  const positions = new Map(ordered.map(({ id }, position) => [id, position]))
  const parents = Int32Array.from(ordered, ({ parentId }) => (parentId === null ? -1 : (positions.get(parentId) ?? -1)))
  return { nodes: ordered, parents, positions }
}

/** Returns the node and all above it, from the inside out. */
export function pathOf<Node extends TreeNode>(tree: Tree<Node>, id: string): Node[] {
  const path: Node[] = []
  for (let at = tree.positions.get(id) ?? -1; at >= 0; at = tree.parents[at] ?? -1) {
    const node = tree.nodes[at]
    if (node !== undefined) path.push(node)
  }
  return path
}

/** Returns the names of a path, from the outside in: `Berlin / Floor 1`. */
export const fullName = (path: readonly { name: string }[]): string =>
  path.reduceRight((outer, { name }) => (outer === '' ? name : `${outer} / ${name}`), '')

/** Joins names: `A`, `A and B`, `A, B and 3 others`. */
export function listNames(names: readonly string[], most = 4): string {
  if (names.length > most) return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} others`
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Returns the number of levels of the subtree of a node: 1 for a node without children. */
export function heightOf(tree: Tree, id: string): number {
  const start = tree.positions.get(id)
  if (start === undefined) return 0
  const depth = new Int32Array(tree.nodes.length)
  depth[start] = 1
  let height = 1
  for (let at = start + 1; at < tree.nodes.length; at++) {
    const above = depth[tree.parents[at] ?? -1] ?? 0
    if (above === 0) continue
    depth[at] = above + 1
    height = Math.max(height, above + 1)
  }
  return height
}
