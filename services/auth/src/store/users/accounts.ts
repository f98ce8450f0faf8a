import type { Query } from '@wp/database'
import { withUserContext } from '../set-user-context.ts'

/** What a sign-in needs to know of whose address it is. */
export interface Account {
  userId: string
  isDisabled: boolean
  /** Whether the address was ever shown to be theirs. */
  isEmailVerified: boolean
  isMember: boolean
  isInvited: boolean
}

/**
 * The user of an address, with what lies across workspaces. The same statements are made for an address nobody has.
 * @param email in lower case
 */
export async function findAccount(query: Query, email: string): Promise<Account | undefined> {
  const [user] = await query<Pick<Account, 'userId' | 'isDisabled' | 'isEmailVerified'>>(
    `SELECT user_id AS "userId", disabled_at IS NOT NULL AS "isDisabled",
       email_verified_at IS NOT NULL AS "isEmailVerified"
     FROM users WHERE email = $1`,
    [email],
  )
  const userId = user?.userId ?? ''
  const [memberStatus] = await withUserContext(query, userId, () =>
    query<Pick<Account, 'isMember' | 'isInvited'>>(
      `SELECT EXISTS (SELECT FROM memberships WHERE user_id = $1) AS "isMember",
         EXISTS (SELECT FROM invitations WHERE user_id = $1 AND expires_at > now()) AS "isInvited"`,
      [userId],
    ),
  )
  return user === undefined || memberStatus === undefined ? undefined : { ...user, ...memberStatus }
}

/** Holds an address against whoever else would make an account of it now. */
export async function lockEmail(query: Query, email: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`auth.address:${email}`])
}

/** Whose account at a provider it is. */
export async function findExternalIdentity(
  query: Query,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<{ userId: string; email: string; isDisabled: boolean } | undefined> {
  const [row] = await query<{ userId: string; email: string; isDisabled: boolean }>(
    `SELECT u.user_id AS "userId", u.email, u.disabled_at IS NOT NULL AS "isDisabled"
     FROM external_identities i JOIN users u USING (user_id) WHERE i.issuer = $1 AND i.subject = $2`,
    [issuer, subject],
  )
  return row
}

/** @param identity.email as the provider has it */
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
