import type { Tx } from '../store/client.ts'
import { findAllDatasets, findDataset, findValuesOf, lockDataset, updateDatasetRow } from '../store/datasets.ts'
import { type Candidate, createMatcher } from '../workplace/match-values.ts'

/**
 * Writes into the maps of datasets which space or team a value stood for, where a change of names would end that: a name
 * is how the match was found, and the rows are of the same place after it. Spaces that are new are not compared, since
 * the value may be of one of them. Locks these datasets, so call it before a lock of the weeks.
 */
export async function keepMatches(
  tx: Tx,
  workspaceId: string,
  role: 'space' | 'team',
  { before, after }: { before: readonly Candidate[]; after: readonly Candidate[] },
): Promise<void> {
  const known = new Set(before.map(({ id }) => id))
  const same = after.filter(({ id }) => known.has(id))
  const map = role === 'space' ? 'spaceMap' : 'teamMap'
  const values = Map.groupBy(await findValuesOf(tx.query, workspaceId, role), ({ datasetId }) => datasetId)
  for (const { id, [map]: stated } of await findAllDatasets(tx.db, workspaceId)) {
    const [was, is] = [createMatcher(before, stated), createMatcher(same, stated)]
    const lost = (values.get(id) ?? []).flatMap(({ value }) => {
      const former = was(value).id
      return former !== null && is(value).id !== former ? [[value, former] as const] : []
    })
    if (lost.length === 0 || !(await lockDataset(tx.query, workspaceId, id))) continue
    const current = await findDataset(tx.db, workspaceId, id)
    await updateDatasetRow(tx.db, workspaceId, id, { [map]: { ...Object.fromEntries(lost), ...current?.[map] } })
  }
}
