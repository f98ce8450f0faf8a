import { problem } from '@wp/contracts'
import { type Database, newId } from '@wp/database'
import type { User } from '#db'
import { definedFields } from '../defined-fields.ts'
import type { Tx } from '../transaction.ts'
import { workerQuery } from '../worker-query.ts'

/** A membership of a user, with the names of workspace and role. */
export interface MembershipRow {
  workspaceId: string
  name: string
  role: string
}

/** Lists a user's memberships, oldest first. The worker role reads them because they span workspaces. */
export async function listMemberships(pool: Database['worker'], userId: string): Promise<MembershipRow[]> {
  return await workerQuery(pool)<MembershipRow>(
    `SELECT w.workspace_id, w.name, coalesce(m.built_in_role, r.name) AS role
     FROM memberships m
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.user_id = $1 ORDER BY m.created_at, m.workspace_id`,
    [userId],
  )
}

/**
 * Returns a signed-in user.
 * @throws Problem `revoked_credential` if the user was disabled after the token was verified
 */
export async function requireUser(db: Tx['db'], userId: string): Promise<User> {
  const user = await db.user.findFirst({ where: { userId, disabledAt: null } })
  if (user === null) throw problem('revoked_credential')
  return user
}

/** Returns the id of the user with an address, creating the user if needed. @param email lower case */
export async function ensureUser(tx: Tx, email: string): Promise<string> {
  const text = 'INSERT INTO users (user_id, email) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING'
  await tx.query(text, [newId('usr'), email])
  const { userId } = await tx.db.user.findFirstOrThrow({ where: { email } })
  return userId
}

/** Undefined fields stay unchanged. */
type UserChanges = { [Field in 'name' | 'locale' | 'timezone' | 'avatarUrl']?: User[Field] | undefined }

/** Updates the profile of a user. */
export async function updateUser(tx: Tx, userId: string, changes: UserChanges): Promise<User> {
  await requireUser(tx.db, userId)
  return await tx.db.user.update({ where: { userId }, data: definedFields(changes) })
}

/** Records that a user has just proven ownership of the mailbox. @returns false if the user is disabled */
export async function markEmailVerified({ query }: Tx, userId: string): Promise<boolean> {
  const rows = await query(
    `UPDATE users SET email_verified_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE user_id = $1 AND disabled_at IS NULL RETURNING user_id`,
    [userId],
  )
  return rows.length === 1
}
