import type { Query } from '@wp/database'
import { withUserContext } from '../set-user-context.ts'

/** The account of an address, as needed for a sign-in. */
export interface Account {
  userId: string
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
): Promise<{ userId: string; email: string; isDisabled: boolean } | undefined> {
  const [row] = await query<{ userId: string; email: string; isDisabled: boolean }>(
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
