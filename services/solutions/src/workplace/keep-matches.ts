import type { Tx } from '../store/client.ts'
import { findAllDatasets, findDataset, findValuesOf, lockDataset, updateDatasetRow } from '../store/datasets.ts'
import { type Candidate, createMatcher } from './match-values.ts'

/**
 * Writes into the maps of datasets which space or team a value stood for, where a change of names would end that: a
 * name is how the match was found, and the rows are of the same place after it. A value that matches another by name
 * then, or whose place has the name of another value, may be corrected by the change, and is left to it. Locks these
 * datasets, so call it before a lock of the weeks.
 */
export async function keepMatches(
  tx: Tx,
  workspaceId: string,
  role: 'space' | 'team',
  { before, after }: { before: readonly Candidate[]; after: readonly Candidate[] },
): Promise<void> {
  const ids = new Set(after.map(({ id }) => id))
  const map = role === 'space' ? 'spaceMap' : 'teamMap'
  const values = Map.groupBy(await findValuesOf(tx.query, workspaceId, role), ({ datasetId }) => datasetId)
  for (const { id, [map]: stated } of await findAllDatasets(tx.db, workspaceId)) {
    const lost = lostMatches(
      (values.get(id) ?? []).map(({ value }) => value),
      { before, after, stated },
    )
    if (lost.length === 0 || !(await lockDataset(tx.query, workspaceId, id))) continue
    const current = (await findDataset(tx.db, workspaceId, id))?.[map] ?? {}
    // What a person has mapped since stays; an entry of a deleted space stands for nothing.
    const kept = lost.filter(([value]) => current[value] !== null && !ids.has(current[value] ?? ''))
    await updateDatasetRow(tx.db, workspaceId, id, { [map]: { ...current, ...Object.fromEntries(kept) } })
  }
}

interface Renaming {
  before: readonly Candidate[]
  after: readonly Candidate[]
  /** The map of the dataset. */
  stated: Readonly<Record<string, string | null>>
}

/** Returns the values of a dataset whose match by name a renaming ends, each with the space or team it stood for. */
export function lostMatches(
  values: readonly string[],
  { before, after, stated }: Renaming,
): (readonly [value: string, id: string])[] {
  const [was, is] = [createMatcher(before, stated), createMatcher(after, stated)]
  const own = values.map((value) => ({ value, former: was(value), now: is(value).id }))
  const remaining = new Set(after.map(({ id }) => id))
  const named = new Set(own.map(({ now }) => now))
  return own.flatMap(({ value, former: { id, matchedBy }, now }) =>
    matchedBy === 'name' && id !== null && now === null && remaining.has(id) && !named.has(id)
      ? [[value, id] as const]
      : [],
  )
}
