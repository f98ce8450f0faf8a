import { invalidField, maxTreeLevels, type SpaceKind, spaceKinds } from '@wp/contracts'
import { heightOf, pathOf, type Tree, type TreeNode } from './tree.ts'

interface Placed {
  /** Null for a new node. */
  id: string | null
  parentId: string | null
}

/**
 * Checks that a node may lie below its parent.
 *
 * @param what for messages: `space` or `team`
 * @throws Problem `validation_failed` with the pointer `/parent_id`
 */
export function checkParent(tree: Tree, { id, parentId }: Placed, what: string): void {
  if (parentId === null) return
  if (!tree.positions.has(parentId))
    throw invalidField('/parent_id', `is not a ${what} of this workspace`, 'unknown_reference')
  const path = pathOf(tree, parentId)
  if (id !== null && path.some((node) => node.id === id))
    throw invalidField('/parent_id', `must not lie within the ${what} itself`)
  const levels = path.length + (id === null ? 1 : Math.max(1, heightOf(tree, id)))
  if (levels > maxTreeLevels)
    throw invalidField(
      '/parent_id',
      `the tree of ${what}s has at most ${maxTreeLevels} levels, and this makes ${levels}`,
    )
}

/** Checks that a space is not of a kind further out than its parent, nor further in than its children. */
export function checkKind(tree: Tree<TreeNode & { kind: string }>, { id, parentId }: Placed, kind: SpaceKind): void {
  const rank = (name: string) => spaceKinds.indexOf(name as SpaceKind) // stored from these words alone
  const parent = parentId === null ? undefined : tree.nodes[tree.positions.get(parentId) ?? -1]
  if (parent !== undefined && rank(kind) < rank(parent.kind))
    throw invalidField('/kind', `a ${kind} cannot lie in a ${parent.kind}`)
  const child =
    id === null ? undefined : tree.nodes.find((node) => node.parentId === id && rank(node.kind) < rank(kind))
  if (child !== undefined) throw invalidField('/kind', `a ${child.kind} lies in it, and cannot lie in a ${kind}`)
}
