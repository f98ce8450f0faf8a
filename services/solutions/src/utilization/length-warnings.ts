import type { Query } from '@wp/database'
import { type Dataset, findValuesOf, withoutLength } from '../store/datasets.ts'
import type { SpaceNode } from '../store/spaces.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import { leastRows } from '../workplace/unread-warnings.ts'

/** Returns the warning that bookings of some spaces, or of what is in them, take no hours. */
export async function lengthWarnings(
  query: Query,
  workspaceId: string,
  tree: Tree<SpaceNode>,
  { datasets, spaceIds }: { datasets: readonly Dataset[]; spaceIds: readonly string[] },
): Promise<string[]> {
  const lacking = datasets.flatMap(({ unusedRows, ...dataset }) => {
    const { rows = 0 } = unusedRows[withoutLength] ?? {}
    return dataset.kind === 'bookings' && rows > 0 ? [{ dataset, rows }] : []
  })
  if (lacking.length === 0) return []
  const values = Map.groupBy(await findValuesOf(query, workspaceId, 'space'), ({ datasetId }) => datasetId)
  const asked = new Set(spaceIds)
  return lacking.flatMap(({ dataset: { id, name, spaceMap }, rows }) => {
    const match = createMatcher(tree.nodes, spaceMap)
    const isAsked = ({ value }: { value: string }) =>
      pathOf(tree, match(value).id ?? '').some((space) => asked.has(space.id))
    return (values.get(id) ?? []).some(isAsked)
      ? [
          `${rows < leastRows ? 'Some' : rows} bookings of the dataset "${name}" end when they begin: they count as bookings, and take no time.`,
        ]
      : []
  })
}
