import { problem } from '@wp/contracts'
import { type Database, newId } from '@wp/database'
import type { User } from '#db'
import { definedFields } from '../defined-fields.ts'
import type { Tx } from '../transaction.ts'

/** A workspace a user is a member of, with the name of their role there. */
export interface MembershipRow {
  workspace_id: string
  name: string
  role: string
}

/** The workspaces of a user, the first joined first. They lie across workspaces, so the worker role reads them. */
export async function listMemberships(pool: Database['worker'], userId: string): Promise<MembershipRow[]> {
  const { rows } = await pool.query<MembershipRow>(
    `SELECT w.workspace_id, w.name, coalesce(m.built_in_role, r.name) AS role
     FROM memberships m
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.user_id = $1 ORDER BY m.created_at, m.workspace_id`,
    [userId],
  )
  return rows
}

/** A signed-in user. @throws Problem `revoked_credential` when they were disabled since their token was checked */
export async function findUser(db: Tx['db'], userId: string): Promise<User> {
  const user = await db.user.findFirst({ where: { userId, disabledAt: null } })
  if (user === null) throw problem('revoked_credential')
  return user
}

/** The user of an address, created where there is none. @param email in lower case */
export async function ensureUser(tx: Tx, email: string): Promise<string> {
  const text = 'INSERT INTO users (user_id, email) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING'
  await tx.query(text, [newId('usr'), email])
  const { userId } = await tx.db.user.findFirstOrThrow({ where: { email } })
  return userId
}

/** Undefined leaves a field as it is. */
type UserChanges = { [Field in 'name' | 'locale' | 'timezone' | 'avatarUrl']?: User[Field] | undefined }

/** Changes a user's own fields. */
export async function updateUser(tx: Tx, userId: string, changes: UserChanges): Promise<User> {
  await findUser(tx.db, userId)
  return await tx.db.user.update({ where: { userId }, data: definedFields(changes) })
}

/** Notes that a mailbox was just shown to be theirs. @returns false when the user is shut out */
export async function markEmailVerified({ query }: Tx, userId: string): Promise<boolean> {
  const rows = await query(
    `UPDATE users SET email_verified_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE user_id = $1 AND disabled_at IS NULL RETURNING user_id`,
    [userId],
  )
  return rows.length === 1
}
