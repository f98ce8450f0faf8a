import { newId, type Query } from '@wp/database'

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
const absoluteDays = 90
/** A refresh token that is not used for so long ends. */
const idleDays = 30

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
    [newId('ses'), userId, method, ip ?? null, userAgent ?? null, refreshHash, absoluteDays, idleDays],
  )
  return row
}
