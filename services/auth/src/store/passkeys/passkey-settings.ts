import type { Query, Row } from '@wp/database'
import type { PasskeySettings, User, Workspace } from '#db'

/** The choice of a user to sign in with passkeys only. */
export interface PasskeySettingsRow extends Row<PasskeySettings, 'recoveryRequestedAt' | 'recoveryAvailableAt'> {
  /** True once the delay of a recovery has passed. */
  isRecoverable: boolean
}

const columns = `recovery_requested_at, recovery_available_at,
  coalesce(recovery_available_at <= clock_timestamp(), false) AS is_recoverable`

/** Returns the choice of a user; undefined for a user who may sign in otherwise. */
export async function findPasskeySettings(query: Query, userId: string): Promise<PasskeySettingsRow | undefined> {
  const [row] = await query<PasskeySettingsRow>(`SELECT ${columns} FROM passkey_settings WHERE user_id = $1`, [userId])
  return row
}

/** Stores that a user signs in with passkeys only. A recovery that is under way goes on. */
export const insertPasskeySettings = (query: Query, userId: string): Promise<unknown> =>
  query('INSERT INTO passkey_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId])

/** Lets a user sign in otherwise again. */
export const deletePasskeySettings = (query: Query, userId: string): Promise<unknown> =>
  query('DELETE FROM passkey_settings WHERE user_id = $1', [userId])

/**
 * Starts a recovery, unless one is under way.
 * @returns when it is available; undefined if one is under way, or the user may sign in otherwise
 */
export async function startRecovery(
  query: Query,
  userId: string,
  { hours, cancelHash }: { hours: number; cancelHash: string },
): Promise<Date | undefined> {
  const [row] = await query<{ availableAt: Date }>(
    `UPDATE passkey_settings SET recovery_requested_at = clock_timestamp(), recovery_cancel_hash = $3,
       recovery_available_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(hours => $2)
     WHERE user_id = $1 AND recovery_requested_at IS NULL RETURNING recovery_available_at AS available_at`,
    [userId, hours, cancelHash],
  )
  return row?.availableAt
}

const noRecovery = 'recovery_requested_at = NULL, recovery_available_at = NULL, recovery_cancel_hash = NULL'

/** Cancels the recovery of a user. @returns false if none is under way */
export async function cancelRecovery(query: Query, userId: string): Promise<boolean> {
  const rows = await query(
    `UPDATE passkey_settings SET ${noRecovery} WHERE user_id = $1 AND recovery_requested_at IS NOT NULL RETURNING user_id`,
    [userId],
  )
  return rows.length > 0
}

/** Cancels the recovery whose mail has a token. @returns its user; undefined if there is none */
export async function cancelRecoveryByHash(query: Query, cancelHash: string): Promise<string | undefined> {
  const [row] = await query<Row<PasskeySettings, 'userId'>>(
    `UPDATE passkey_settings SET ${noRecovery} WHERE recovery_cancel_hash = $1 RETURNING user_id`,
    [cancelHash],
  )
  return row?.userId
}

/** An owner of a workspace who is told of the recovery of a member. */
export interface InformedOwner extends Row<User, 'email' | 'locale' | 'timezone'> {
  workspaceName: Workspace['name']
}

/** Lists the other owners of the workspaces of a user, each with one of these workspaces; at most `limit`. */
export async function listOwnersOfWorkspaces(query: Query, userId: string, limit: number): Promise<InformedOwner[]> {
  return await query<InformedOwner>(
    `SELECT DISTINCT ON (u.email) u.email, u.locale, u.timezone, w.name AS workspace_name
     FROM memberships m JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     JOIN memberships o ON o.workspace_id = m.workspace_id AND o.built_in_role = 'owner' AND o.user_id <> m.user_id
     JOIN users u ON u.user_id = o.user_id AND u.disabled_at IS NULL
     WHERE m.user_id = $1 ORDER BY u.email, w.name LIMIT $2`,
    [userId, limit],
  )
}
