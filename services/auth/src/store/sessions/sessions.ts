import { type Cursor, decodeCursor, newId, type Query } from '@wp/database'

/** A session that is live, and the ends that matter to who holds it. */
export interface LiveSession {
  sessionId: string
  userId: string
  email: string
  /** The absolute end. */
  expiresAt: Date
  /** When the newest refresh token ends; never after the session. */
  refreshExpiresAt: Date
}

/** A session ends this long after it began, however much it is used. */
const sessionLifetimeDays = 90
/** A refresh token that is not used for so long ends. */
export const refreshTokenIdleDays = 30

interface NewSession {
  userId: string
  method: string
  ip?: string | undefined
  userAgent?: string | undefined
}

/** A new session and its first refresh token; undefined where there is no such user, or they are disabled. */
export async function insertSession(
  query: Query,
  { userId, method, ip, userAgent }: NewSession,
  refreshHash: string,
): Promise<LiveSession | undefined> {
  const [row] = await query<LiveSession>(
    `WITH made AS (
       INSERT INTO sessions (session_id, user_id, method, ip, user_agent, expires_at)
       SELECT $1, u.user_id, $3, $4, left($5, 500), date_trunc('milliseconds', now()) + make_interval(days => $7)
       FROM users u WHERE u.user_id = $2 AND u.disabled_at IS NULL
       RETURNING session_id, user_id, expires_at
     ), refresh AS (
       INSERT INTO refresh_tokens (hash, session_id, expires_at)
       SELECT $6, session_id, least(expires_at, date_trunc('milliseconds', now()) + make_interval(days => $8)) FROM made
       RETURNING expires_at
     )
     SELECT made.session_id AS "sessionId", made.user_id AS "userId", u.email, made.expires_at AS "expiresAt",
       refresh.expires_at AS "refreshExpiresAt"
     FROM made, refresh, users u WHERE u.user_id = made.user_id`,
    [
      newId('ses'),
      userId,
      method,
      ip ?? null,
      userAgent ?? null,
      refreshHash,
      sessionLifetimeDays,
      refreshTokenIdleDays,
    ],
  )
  return row
}

/** A session as it is listed. */
export interface SessionRow {
  session_id: string
  method: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_used_at: Date
  /** The earlier one of the absolute end and of the newest refresh token's. */
  ends_at: Date
}

/** The live sessions of a user, newest first, one more than the limit where there are more. */
export async function listSessions(
  query: Query,
  userId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<SessionRow[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return await query<SessionRow>(
    `SELECT s.session_id, s.method, s.ip, s.user_agent, s.created_at, s.last_used_at, r.ends_at
     FROM sessions s, LATERAL (SELECT max(expires_at) AS ends_at FROM refresh_tokens WHERE session_id = s.session_id) r
     WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND r.ends_at > now()
     ${after === undefined ? '' : 'AND (s.created_at, s.session_id) < ($3, $4)'}
     ORDER BY s.created_at DESC, s.session_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
}

/** The sort key of a session. */
export const cursorOfSession = (row: SessionRow): Cursor => ({ createdAt: row.created_at, id: row.session_id })

/** Why a session ended before its time. */
export type EndReason = 'logout' | 'revoked' | 'reuse'

/** Ends a session of a user. @returns whether it was live until now */
export async function endSession(
  query: Query,
  { sessionId, userId }: Pick<LiveSession, 'sessionId' | 'userId'>,
  reason: EndReason,
): Promise<boolean> {
  const ended = await query(
    `UPDATE sessions SET ended_at = clock_timestamp(), ended_because = $3
     WHERE session_id = $1 AND user_id = $2 AND ended_at IS NULL AND expires_at > clock_timestamp()
     RETURNING session_id`,
    [sessionId, userId, reason],
  )
  return ended.length > 0
}
