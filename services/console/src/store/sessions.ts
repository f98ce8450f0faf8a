import type { Query, Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { Session } from '#db'

/** A session with its sealed tokens. */
export type SessionRow = Row<Session>

const columns = `session_id, cookie_hash, user_id, sealed_access_token, sealed_refresh_token, refresh_count,
  access_expires_at, authenticated_at, created_at, expires_at`

/** Inserts a new session. */
export async function insertSession(query: Query, row: Omit<SessionRow, 'refreshCount'>): Promise<void> {
  await query(
    `INSERT INTO sessions (session_id, cookie_hash, user_id, sealed_access_token, sealed_refresh_token,
       access_expires_at, authenticated_at, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.sessionId,
      row.cookieHash,
      row.userId,
      row.sealedAccessToken,
      row.sealedRefreshToken,
      row.accessExpiresAt,
      row.authenticatedAt,
      row.createdAt,
      row.expiresAt,
    ],
  )
}

/** Finds the live session of a cookie. */
export async function findSessionByCookie(query: Query, cookieHash: string, now: Date) {
  const [row] = await query<SessionRow>(`SELECT ${columns} FROM sessions WHERE cookie_hash = $1 AND expires_at > $2`, [
    cookieHash,
    now,
  ])
  return row
}

/** Finds a live session. */
export async function findSession(query: Query, sessionId: string, now: Date) {
  const [row] = await query<SessionRow>(`SELECT ${columns} FROM sessions WHERE session_id = $1 AND expires_at > $2`, [
    sessionId,
    now,
  ])
  return row
}

/** The tokens of a refresh, and the row they were requested for. */
export interface RefreshedTokens
  extends Row<Session, 'sealedAccessToken' | 'sealedRefreshToken' | 'accessExpiresAt' | 'expiresAt'> {
  read: Row<Session, 'sessionId' | 'refreshCount' | 'authenticatedAt'>
}

/**
 * Stores the tokens of a refresh, unless another refresh stored newer ones since the row was read. An access token that
 * a re-authentication stored since stays: it is the only one that says so.
 * @returns false if nothing was stored
 */
export async function storeRefreshedTokens(query: Query, refreshed: RefreshedTokens): Promise<boolean> {
  const { read, sealedAccessToken, sealedRefreshToken, accessExpiresAt, expiresAt } = refreshed
  const rows = await query(
    `UPDATE sessions SET refresh_count = refresh_count + 1, sealed_refresh_token = $4, expires_at = $7,
       sealed_access_token = CASE WHEN authenticated_at = $3 THEN $5 ELSE sealed_access_token END,
       access_expires_at = CASE WHEN authenticated_at = $3 THEN $6 ELSE access_expires_at END
     WHERE session_id = $1 AND refresh_count = $2 RETURNING 1`,
    [
      read.sessionId,
      read.refreshCount,
      read.authenticatedAt,
      sealedRefreshToken,
      sealedAccessToken,
      accessExpiresAt,
      expiresAt,
    ],
  )
  return rows.length > 0
}

/** The access token of a re-authentication, and the new cookie of the session. */
export type ReauthenticatedSession = Row<
  Session,
  'sessionId' | 'cookieHash' | 'sealedAccessToken' | 'accessExpiresAt' | 'authenticatedAt'
>

/** Stores the access token of a re-authentication under a new cookie. @returns false if the session has ended */
export async function storeReauthentication(query: Query, session: ReauthenticatedSession): Promise<boolean> {
  const rows = await query(
    `UPDATE sessions SET cookie_hash = $2, sealed_access_token = $3, access_expires_at = $4, authenticated_at = $5
     WHERE session_id = $1 RETURNING 1`,
    [
      session.sessionId,
      session.cookieHash,
      session.sealedAccessToken,
      session.accessExpiresAt,
      session.authenticatedAt,
    ],
  )
  return rows.length > 0
}

/** Deletes a session. */
export async function deleteSession(query: Query, sessionId: string): Promise<void> {
  await query('DELETE FROM sessions WHERE session_id = $1', [sessionId])
}

/** Retention of sessions and sign-ins, until their expiry. */
export const retentionRules: readonly RetentionRule[] = ['sessions', 'pending_sign_ins'].map((table) => ({
  table,
  column: 'expires_at',
  batchRows: 1_000,
}))
