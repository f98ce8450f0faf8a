import type { Query } from '@wp/database'
import { actingFor } from './acting-for.ts'

/** What a sign-in needs to know of whose address it is. */
export interface Account {
  userId: string
  disabled: boolean
  /** Whether the address was ever shown to be theirs. */
  verified: boolean
  isMember: boolean
  isInvited: boolean
}

/**
 * The user of an address, with what lies across workspaces. The same statements are made for an address nobody has.
 * @param email in lower case
 */
export async function findAccount(query: Query, email: string): Promise<Account | undefined> {
  const [user] = await query<Pick<Account, 'userId' | 'disabled' | 'verified'>>(
    `SELECT user_id AS "userId", disabled_at IS NOT NULL AS disabled, email_verified_at IS NOT NULL AS verified
     FROM users WHERE email = $1`,
    [email],
  )
  const userId = user?.userId ?? ''
  const [standing] = await actingFor(query, userId, () =>
    query<Pick<Account, 'isMember' | 'isInvited'>>(
      `SELECT EXISTS (SELECT FROM memberships WHERE user_id = $1) AS "isMember",
         EXISTS (SELECT FROM invitations WHERE user_id = $1 AND expires_at > now()) AS "isInvited"`,
      [userId],
    ),
  )
  return user === undefined || standing === undefined ? undefined : { ...user, ...standing }
}

/** Holds an address against whoever else would make an account of it now. */
export async function lockAddress(query: Query, email: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`auth.address:${email}`])
}

/** Whose account at a provider it is. */
export async function findIdentity(
  query: Query,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<{ userId: string; email: string; disabled: boolean } | undefined> {
  const [row] = await query<{ userId: string; email: string; disabled: boolean }>(
    `SELECT u.user_id AS "userId", u.email, u.disabled_at IS NOT NULL AS disabled
     FROM external_identities i JOIN users u USING (user_id) WHERE i.issuer = $1 AND i.subject = $2`,
    [issuer, subject],
  )
  return row
}

/** @param identity.email as the provider has it */
export async function insertIdentity(
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
