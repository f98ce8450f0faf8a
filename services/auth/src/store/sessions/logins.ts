import { newId, type Query, type Row } from '@wp/database'
import type { Login, LoginCode, User } from '#db'

/** A sign-in by mail. */
export type LoginRow = Row<Login, 'loginId' | 'email' | 'redirectUri' | 'codeChallenge'>

interface NewLogin extends LoginRow, Row<Login, 'tokenHash' | 'codeHash'> {
  /** The session that the code re-authenticates; default none, for a sign-in. */
  sessionId?: string
}

/** Inserts a login. @returns its expiry */
export async function insertLogin(query: Query, login: NewLogin, minutes: number): Promise<Date> {
  const { loginId, email, tokenHash, codeHash, redirectUri, codeChallenge, sessionId = null } = login
  const [row] = await query<Row<Login, 'expiresAt'>>(
    `INSERT INTO logins (login_id, email, token_hash, code_hash, redirect_uri, code_challenge, session_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $8, date_trunc('milliseconds', now()) + make_interval(mins => $7))
     RETURNING expires_at`,
    [loginId, email, tokenHash, codeHash, redirectUri, codeChallenge, minutes, sessionId],
  )
  if (row === undefined) throw new Error('insert returned no row')
  return row.expiresAt
}

const columns = 'login_id, email, redirect_uri, code_challenge'
const liveLoginCondition = 'used_at IS NULL AND expires_at > now()'
/** A code of a re-authentication signs no one in. */
const signInCondition = `session_id IS NULL AND ${liveLoginCondition}`

/** Finds the live login, among those with the given ids, whose link token has a hash. */
export async function findLoginByToken(
  query: Query,
  loginIds: readonly string[],
  hash: string,
): Promise<LoginRow | undefined> {
  const [row] = await query<LoginRow>(
    `SELECT ${columns} FROM logins WHERE login_id = ANY ($1) AND token_hash = $2 AND ${signInCondition}`,
    [loginIds, hash],
  )
  return row
}

/** Marks a live login as used by its link token; undefined if it does not exist, was used or has expired. */
export async function redeemLoginByToken(query: Query, loginId: string, hash: string): Promise<LoginRow | undefined> {
  const [row] = await query<LoginRow>(
    `UPDATE logins SET used_at = now() WHERE login_id = $1 AND token_hash = $2 AND ${signInCondition} RETURNING ${columns}`,
    [loginId, hash],
  )
  return row
}

/** An attempt with the code of a mail. */
interface CodeAttempt extends LoginRow, Row<Login, 'codeHash' | 'wrongCodes'> {
  isLive: boolean
}

/**
 * Counts an attempt before the code is compared, and locks the row, so that concurrent attempts are serialized.
 * @param sessionId the session to re-authenticate; null for a sign-in
 * @returns undefined if there is no such login for the purpose
 */
export async function countCodeAttempt(
  query: Query,
  loginId: string,
  sessionId: string | null,
): Promise<CodeAttempt | undefined> {
  const [row] = await query<CodeAttempt>(
    `UPDATE logins SET wrong_codes = wrong_codes + 1 WHERE login_id = $1 AND session_id IS NOT DISTINCT FROM $2
     RETURNING ${columns}, code_hash, wrong_codes, ${liveLoginCondition} AS is_live`,
    [loginId, sessionId],
  )
  return row
}

/** Marks a login as used after a correct code, and reverts the count of the attempt. */
export async function redeemLogin(query: Query, loginId: string): Promise<void> {
  await query('UPDATE logins SET used_at = now(), wrong_codes = wrong_codes - 1 WHERE login_id = $1', [loginId])
}

/**
 * Returns the audit targets of a failed attempt: the login, and the user of its address. Empty for an unknown login.
 */
export async function findAuditTargets(query: Query, loginId: string): Promise<{ type: string; id: string }[]> {
  const rows = await query<{ userId: User['userId'] | null }>(
    'SELECT u.user_id FROM logins l LEFT JOIN users u USING (email) WHERE l.login_id = $1',
    [loginId],
  )
  return rows.flatMap(({ userId }) => [
    { type: 'login', id: loginId },
    ...(userId === null ? [] : [{ type: 'user', id: userId }]),
  ])
}

/** A login code, which the browser takes to the application. */
type LoginCodeRow = Row<LoginCode, 'userId' | 'method' | 'codeChallenge'>

export async function insertLoginCode(query: Query, hash: string, code: LoginCodeRow, seconds: number): Promise<void> {
  await query(
    `INSERT INTO login_codes (hash, user_id, method, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [hash, code.userId, code.method, code.codeChallenge, seconds],
  )
}

/** Marks a login code as used and returns it; undefined if it does not exist, was used or has expired. */
export async function redeemLoginCode(
  query: Query,
  hash: string,
): Promise<(LoginCodeRow & { isDisabled: boolean }) | undefined> {
  const [row] = await query<LoginCodeRow & { isDisabled: boolean }>(
    `UPDATE login_codes c SET used_at = now() FROM users u
     WHERE c.hash = $1 AND c.used_at IS NULL AND c.expires_at > now() AND u.user_id = c.user_id
     RETURNING c.user_id, c.method, c.code_challenge, u.disabled_at IS NOT NULL AS is_disabled`,
    [hash],
  )
  return row
}

export const generateLoginId = (): string => newId('login')
