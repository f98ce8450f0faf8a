import { newId, type Query, type Row } from '@wp/database'
import type { Session, User } from '#db'

/** A live session of a browser at the pages of auth. */
export type BrowserSession = Row<Session, 'sessionId' | 'userId' | 'method' | 'authenticatedAt'> & Row<User, 'email'>

interface NewBrowserSession extends Row<Session, 'userId' | 'method'> {
  ip: string | undefined
  userAgent: string | undefined
}

/** Inserts a session without refresh tokens; undefined if the user does not exist or is disabled. */
export async function insertBrowserSession(
  query: Query,
  { userId, method, ip, userAgent }: NewBrowserSession,
  tokenHash: string,
  days: number,
): Promise<string | undefined> {
  const [row] = await query<Row<Session, 'sessionId'>>(
    `INSERT INTO sessions (session_id, user_id, method, ip, user_agent, browser_token_hash, expires_at)
     SELECT $1, u.user_id, $3, $4, left($5, 500), $6, date_trunc('milliseconds', now()) + make_interval(days => $7)
     FROM users u WHERE u.user_id = $2 AND u.disabled_at IS NULL RETURNING session_id`,
    [newId('ses'), userId, method, ip ?? null, userAgent ?? null, tokenHash, days],
  )
  return row?.sessionId
}

/** Finds a live session by the hash of its cookie. */
export async function findBrowserSession(query: Query, tokenHash: string): Promise<BrowserSession | undefined> {
  const [row] = await query<BrowserSession>(
    `SELECT s.session_id, s.user_id, u.email, s.method, s.authenticated_at
     FROM sessions s JOIN users u USING (user_id)
     WHERE s.browser_token_hash = $1 AND s.ended_at IS NULL AND s.expires_at > clock_timestamp()
       AND u.disabled_at IS NULL`,
    [tokenHash],
  )
  return row
}
