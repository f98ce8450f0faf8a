import type { Database, Query, Row } from '@wp/database'
import type { SealedStore } from '@wp/service'
import type { PseudonymKey } from '#db'

type SealedKey = Row<PseudonymKey, 'workspaceId' | 'sealed'>

/** Returns the data that is authenticated with the sealed key of a workspace. */
export const pseudonymKeyAssociatedData = (workspaceId: string): string => `${workspaceId}/pseudonym-key`

/** Returns the sealed key of the pseudonyms of a workspace; undefined if it has none. */
export async function findPseudonymKey(query: Query, workspaceId: string): Promise<string | undefined> {
  const [row] = await query<Pick<SealedKey, 'sealed'>>(
    'SELECT sealed FROM pseudonym_keys WHERE workspace_id = $1',
    [workspaceId],
    'find_pseudonym_key',
  )
  return row?.sealed
}

/** Stores the key of a workspace, unless it has one: pseudonyms that exist must stay the same. */
export async function insertPseudonymKey(query: Query, { workspaceId, sealed }: SealedKey): Promise<void> {
  await query('INSERT INTO pseudonym_keys (workspace_id, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    workspaceId,
    sealed,
  ])
}

/** The sealed keys of all workspaces, to be sealed again after a change of the key-encryption key. */
export const sealedPseudonymKeys = (pool: Database['worker']): SealedStore<SealedKey> => ({
  name: 'pseudonym_keys',
  async findSealedWith(prefix, after, limit) {
    const { rows } = await pool.query<SealedKey>(
      `SELECT workspace_id, sealed FROM pseudonym_keys
        WHERE starts_with(sealed, $1) AND workspace_id > $2 ORDER BY workspace_id LIMIT $3`,
      [prefix, after?.workspaceId ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ workspaceId, sealed }) => [{ sealed, associatedData: pseudonymKeyAssociatedData(workspaceId) }],
  async updateSealed({ workspaceId, sealed }, [resealed]) {
    await pool.query('UPDATE pseudonym_keys SET sealed = $3 WHERE workspace_id = $1 AND sealed = $2', [
      workspaceId,
      sealed,
      resealed,
    ])
  },
  async countSealedWith(prefix) {
    const text = 'SELECT count(*)::int AS count FROM pseudonym_keys WHERE starts_with(sealed, $1)'
    const { rows } = await pool.query<{ count: number }>(text, [prefix])
    return rows[0]?.count ?? 0
  },
})
