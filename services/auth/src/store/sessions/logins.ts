import { newId, type Query } from '@wp/database'

/** A sign-in by mail that was asked for, as it is kept. */
export interface LoginRow {
  loginId: string
  email: string
  redirectUri: string | null
  codeChallenge: string | null
}

interface NewLogin extends LoginRow {
  tokenHash: string
  codeHash: string | null
}

/** @returns when it ends */
export async function insertLogin(query: Query, login: NewLogin, minutes: number): Promise<Date> {
  const { loginId, email, tokenHash, codeHash, redirectUri, codeChallenge } = login
  const [row] = await query<{ expires_at: Date }>(
    `INSERT INTO logins (login_id, email, token_hash, code_hash, redirect_uri, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()) + make_interval(mins => $7))
     RETURNING expires_at`,
    [loginId, email, tokenHash, codeHash, redirectUri, codeChallenge, minutes],
  )
  if (row === undefined) throw new Error('an inserted row was not returned')
  return row.expires_at
}

const columns = 'login_id AS "loginId", email, redirect_uri AS "redirectUri", code_challenge AS "codeChallenge"'
const liveLoginCondition = 'used_at IS NULL AND expires_at > now()'

/** The sign-in whose link it is, as long as it can be used. */
export async function findLoginByToken(query: Query, loginId: string, hash: string): Promise<LoginRow | undefined> {
  const [row] = await query<LoginRow>(
    `SELECT ${columns} FROM logins WHERE login_id = $1 AND token_hash = $2 AND ${liveLoginCondition}`,
    [loginId, hash],
  )
  return row
}

/** Uses up the sign-in whose link it is; undefined when there is none such, or it was used, or has ended. */
export async function useLoginByToken(query: Query, loginId: string, hash: string): Promise<LoginRow | undefined> {
  const [row] = await query<LoginRow>(
    `UPDATE logins SET used_at = now() WHERE login_id = $1 AND token_hash = $2 AND ${liveLoginCondition} RETURNING ${columns}`,
    [loginId, hash],
  )
  return row
}

/** A try with a code. */
export interface CodeAttempt extends LoginRow {
  codeHash: string | null
  /** Tries so far, this one among them. */
  wrongCodes: number
  isLive: boolean
}

/** Counts a try before it is looked at, and holds the row until the transaction ends: however many come at once. */
export async function countCodeAttempt(query: Query, loginId: string): Promise<CodeAttempt | undefined> {
  const [row] = await query<CodeAttempt>(
    `UPDATE logins SET wrong_codes = wrong_codes + 1 WHERE login_id = $1
     RETURNING ${columns}, code_hash AS "codeHash", wrong_codes AS "wrongCodes", ${liveLoginCondition} AS "isLive"`,
    [loginId],
  )
  return row
}

/** Uses up a sign-in whose code was right; the try was no wrong one. */
export async function useLoginByCode(query: Query, loginId: string): Promise<void> {
  await query('UPDATE logins SET used_at = now(), wrong_codes = wrong_codes - 1 WHERE login_id = $1', [loginId])
}

/** What the audit log shall know of a try that failed: the sign-in, where there is one, and whose address it was. */
export async function findAuditTargets(query: Query, loginId: string): Promise<{ type: string; id: string }[]> {
  const rows = await query<{ user_id: string | null }>(
    'SELECT u.user_id FROM logins l LEFT JOIN users u USING (email) WHERE l.login_id = $1',
    [loginId],
  )
  return rows.flatMap(({ user_id: userId }) => [
    { type: 'login', id: loginId },
    ...(userId === null ? [] : [{ type: 'user', id: userId }]),
  ])
}

/** What a browser carries to the application. */
export interface LoginCodeRow {
  userId: string
  method: string
  codeChallenge: string
}

export async function insertLoginCode(query: Query, hash: string, code: LoginCodeRow, seconds: number): Promise<void> {
  await query(
    `INSERT INTO login_codes (hash, user_id, method, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [hash, code.userId, code.method, code.codeChallenge, seconds],
  )
}

/** Uses up a code, whatever comes of it. */
export async function useLoginCode(
  query: Query,
  hash: string,
): Promise<(LoginCodeRow & { isDisabled: boolean }) | undefined> {
  const [row] = await query<LoginCodeRow & { isDisabled: boolean }>(
    `UPDATE login_codes c SET used_at = now() FROM users u
     WHERE c.hash = $1 AND c.used_at IS NULL AND c.expires_at > now() AND u.user_id = c.user_id
     RETURNING c.user_id AS "userId", c.method, c.code_challenge AS "codeChallenge", u.disabled_at IS NOT NULL AS "isDisabled"`,
    [hash],
  )
  return row
}

export const generateLoginId = (): string => newId('login')
