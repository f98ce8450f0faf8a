import type { DatasetValue } from './dataset-words.ts'
import type { KnownSpace } from './names/space-labels.ts'

/**
 * Returns the space whose page shows what a file tells: the building of the name with the most rows, or the outermost
 * space around it; undefined if no name is known.
 *
 * @param values the names in the file, those with the most rows first
 */
export function spaceToShow(values: readonly DatasetValue[], spaces: readonly KnownSpace[]): string | undefined {
  const byId = new Map(spaces.map((space) => [space.id, space]))
  const found = values.find(({ role, mapped_to: id }) => role === 'space' && id !== null && byId.has(id))
  let space = byId.get(found?.mapped_to ?? '')
  let shown = space
  // A tree has at most 8 levels; one that is read while it changes could have a circle.
  for (let level = 0; space !== undefined && level < 8; level++) {
    shown = space
    if (space.kind === 'building') break
    space = byId.get(space.parent_id ?? '')
  }
  return shown?.id
}
