import { problem } from '@wp/contracts'
import { type Database, definedFields, newId, type Query, type Row } from '@wp/database'
import type { User, Workspace } from '#db'
import type { Tx } from './client.ts'
import { withUserContext, workerQuery } from './cross-workspace.ts'

export type { User }

/** A membership of a user, with the names of workspace and role. */
export interface MembershipRow extends Row<Workspace, 'workspaceId' | 'name'> {
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
  // SQL, as all that a start calls: a first query of Prisma compiles WebAssembly, 0.4 s of processor time and 65 MiB.
  const [user] = await tx.query<Row<User, 'userId'>>('SELECT user_id FROM users WHERE email = $1', [email])
  if (user === undefined) throw new Error('the user was deleted while the transaction created it')
  return user.userId
}

/** Returns what to call a user in a mail: name and address, or the address. Undefined for another principal. */
export async function findUserLabel(query: Query, userId: string): Promise<string | undefined> {
  const [user] = await query<{ label: string }>(
    `SELECT coalesce(name || ' (' || email || ')', email) AS label FROM users WHERE user_id = $1`,
    [userId],
  )
  return user?.label
}

/** The language tag and time zone that a person has chosen; null for none. */
export type MailReader = Row<User, 'locale' | 'timezone'>

/** Returns the address of a user, and how to write times for them. */
export async function findMailReader(query: Query, userId: string): Promise<MailReader & Row<User, 'email'>> {
  const [user] = await query<MailReader & Row<User, 'email'>>(
    'SELECT email, locale, timezone FROM users WHERE user_id = $1',
    [userId],
  )
  if (user === undefined) throw problem('not_found')
  return user
}

/** Returns the address of a user. */
export async function findUserEmail(query: Query, userId: string): Promise<string> {
  const [user] = await query<Row<User, 'email'>>('SELECT email FROM users WHERE user_id = $1', [userId])
  if (user === undefined) throw problem('not_found')
  return user.email
}

/** Undefined fields stay unchanged. */
type UserChanges = { [Field in 'name' | 'locale' | 'timezone' | 'avatarUrl']?: User[Field] | undefined }

/** Updates the profile of a user. */
export async function updateUserRow(tx: Tx, userId: string, changes: UserChanges): Promise<User> {
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

/** The account of an address, as needed for a sign-in. */
export interface Account extends Row<User, 'userId'> {
  isDisabled: boolean
  /** True if the user has ever proven ownership of the address. */
  isEmailVerified: boolean
  isMember: boolean
  isInvited: boolean
}

/**
 * Finds the account of an address, across workspaces. Executes the same statements for an unknown address, to leak
 * nothing by timing.
 * @param email lower case
 */
export async function findAccount(query: Query, email: string): Promise<Account | undefined> {
  const [user] = await query<Pick<Account, 'userId' | 'isDisabled' | 'isEmailVerified'>>(
    `SELECT user_id, disabled_at IS NOT NULL AS is_disabled,
       email_verified_at IS NOT NULL AS is_email_verified
     FROM users WHERE email = $1`,
    [email],
  )
  const userId = user?.userId ?? ''
  const [memberStatus] = await withUserContext(query, userId, () =>
    query<Pick<Account, 'isMember' | 'isInvited'>>(
      `SELECT EXISTS (SELECT FROM memberships WHERE user_id = $1) AS is_member,
         EXISTS (SELECT FROM invitations WHERE user_id = $1 AND expires_at > now()) AS is_invited`,
      [userId],
    ),
  )
  return user === undefined || memberStatus === undefined ? undefined : { ...user, ...memberStatus }
}

/** Locks an address until the transaction ends, so that only one transaction creates its account. */
export async function lockEmail(query: Query, email: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`auth.address:${email}`])
}

/** Finds the user linked with a provider identity. */
export async function findExternalIdentity(
  query: Query,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<(Row<User, 'userId' | 'email'> & { isDisabled: boolean }) | undefined> {
  const [row] = await query<Row<User, 'userId' | 'email'> & { isDisabled: boolean }>(
    `SELECT u.user_id, u.email, u.disabled_at IS NOT NULL AS is_disabled
     FROM external_identities i JOIN users u USING (user_id) WHERE i.issuer = $1 AND i.subject = $2`,
    [issuer, subject],
  )
  return row
}

/** Links a provider identity with a user. @param identity.email the address at the provider */
export async function insertExternalIdentity(
  query: Query,
  userId: string,
  { issuer, subject, email }: { issuer: string; subject: string; email: string | undefined },
): Promise<void> {
  await query('INSERT INTO external_identities (issuer, subject, user_id, email) VALUES ($1, $2, $3, $4)', [
    issuer,
    subject,
    userId,
    email ?? null,
  ])
}
