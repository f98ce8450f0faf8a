import type { SpaceNode } from '../../store/spaces.ts'
import { fullName, pathOf, type Tree } from '../../workplace/tree.ts'

/** A floor of a space, named from the space inwards. */
export interface FloorIn {
  id: string
  name: string
  node: SpaceNode
}

/** Returns the floors in a space in the order of their names: `North / Floor 2` before `North / Floor 10`. */
export function floorsIn(tree: Tree<SpaceNode>, rootId: string): FloorIn[] {
  const floors = tree.nodes.flatMap((node) => {
    if (node.kind !== 'floor') return []
    const path = pathOf(tree, node.id)
    const depth = path.findIndex(({ id }) => id === rootId)
    if (depth < 1) return []
    return [{ id: node.id, name: fullName(path.slice(0, depth)), node }]
  })
  const { compare } = new Intl.Collator('en', { numeric: true })
  return floors.sort((a, b) => compare(a.name, b.name))
}
