import { invalidField } from '@wp/contracts'
import type { SpaceNode } from '../store/spaces.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import type { AskedScenario } from './scenario-job.ts'

/**
 * Refuses changes that a plan of floors cannot follow, and two of the same space or team.
 * @param spaces all of the workspace
 * @throws Problem `validation_failed` with the pointer of the change
 */
export function checkChanges(
  spaces: Tree<SpaceNode>,
  { space_id: root, changes }: Pick<AskedScenario, 'space_id' | 'changes'>,
): void {
  const requireKnown = (pointer: string, id: string) => {
    if (!spaces.positions.has(id)) throw invalidField(pointer, 'is not a space of this workspace', 'unknown_reference')
  }
  if (root !== null) requireKnown('/space_id', root)
  const isAround = (outer: string, inner: string) => pathOf(spaces, inner).some(({ id }) => id === outer)
  for (const kind of ['close_spaces', 'capacity', 'cost'] as const)
    for (const [at, { space_id: id }] of changes[kind].entries()) {
      requireKnown(`/changes/${kind}/${at}/space_id`, id)
      const reason =
        root !== null && !isAround(root, id) && !(kind === 'close_spaces' && isAround(id, root))
          ? 'is not in the space of the scenario'
          : reasonOf(kind, pathOf(spaces, id))
      if (reason !== null) throw invalidField(`/changes/${kind}/${at}/space_id`, reason)
    }
  // The second change of a space or team would have no effect.
  for (const kind of ['capacity', 'cost', 'headcount', 'attendance'] as const) {
    const ids = changes[kind].map((change) => ('space_id' in change ? change.space_id : change.team_id))
    const at = ids.findIndex((id, index) => ids.indexOf(id) < index)
    if (at >= 0) throw invalidField(`/changes/${kind}/${at}`, 'is of the same space or team as one before')
  }
}

/** Returns why a change of a space has no effect on a floor; null if it has one. */
function reasonOf(kind: 'close_spaces' | 'capacity' | 'cost', path: readonly SpaceNode[]): string | null {
  const [space] = path
  const floorAt = path.findIndex((around) => around.kind === 'floor')
  if (kind === 'close_spaces') return floorAt > 0 ? `is a ${space?.kind}: only whole floors can close` : null
  if (floorAt < 0 || (kind === 'cost' && floorAt > 0)) return `is a ${space?.kind}: name floors`
  const stated = path.slice(1, floorAt + 1).find(({ capacity }) => kind === 'capacity' && capacity !== null)
  return stated === undefined ? null : `is in ${stated.name}, whose own places count: change those instead`
}
