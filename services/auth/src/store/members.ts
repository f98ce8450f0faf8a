import type { RoleKey } from './invitations.ts'
import type { Tx } from './transaction.ts'

/**
 * Holds the workspace against every other change of its people and roles until the transaction ends, so that what was
 * read of them stays true. Credentials can be made meanwhile: they need the row only to be there.
 * @returns whether there is such a workspace
 */
export async function lockPeople({ query }: Tx, workspaceId: string): Promise<boolean> {
  const rows = await query('SELECT FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE', [
    workspaceId,
  ])
  return rows.length === 1
}

/** Makes somebody a member of the workspace that was entered; who is one stays what they are. */
export async function insertMember(
  { query }: Tx,
  workspaceId: string,
  userId: string,
  { built_in_role, role_id }: RoleKey,
): Promise<void> {
  await query(
    `INSERT INTO memberships (workspace_id, user_id, built_in_role, role_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, user_id) DO NOTHING`,
    [workspaceId, userId, built_in_role, role_id],
  )
}
