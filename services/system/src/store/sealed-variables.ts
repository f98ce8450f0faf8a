import type { Database, Row } from '@wp/database'
import type { SealedStore } from '@wp/service'
import type { Variable } from '#db'

interface SealedVariable extends Row<Variable, 'workspaceId' | 'name'> {
  sealed: string
}

/** Returns the data that is authenticated with the sealed value of a variable. */
export const variableAssociatedData = (workspaceId: string, name: string): string => `${workspaceId}/${name}`

/** Creates the store of the sealed variables of all workspaces. */
export const sealedVariables = (pool: Database['worker']): SealedStore<SealedVariable> => ({
  name: 'variables',
  async findSealedWith(prefix, after, limit) {
    const { rows } = await pool.query<SealedVariable>(
      `SELECT workspace_id, name, sealed FROM workspace_variables
       WHERE starts_with(sealed, $1) AND (workspace_id, name) > ($2, $3) ORDER BY workspace_id, name LIMIT $4`,
      [prefix, after?.workspaceId ?? '', after?.name ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ workspaceId, name, sealed }) => [
    { sealed, associatedData: variableAssociatedData(workspaceId, name) },
  ],
  async updateSealed({ workspaceId, name, sealed }, [resealed]) {
    const text = 'UPDATE workspace_variables SET sealed = $4 WHERE workspace_id = $1 AND name = $2 AND sealed = $3'
    await pool.query(text, [workspaceId, name, sealed, resealed])
  },
  async countSealedWith(prefix) {
    const text = 'SELECT count(*)::int AS count FROM workspace_variables WHERE starts_with(sealed, $1)'
    const { rows } = await pool.query<{ count: number }>(text, [prefix])
    return rows[0]?.count ?? 0
  },
})
