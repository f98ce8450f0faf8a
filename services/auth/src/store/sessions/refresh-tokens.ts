import type { Query } from '@wp/database'
import { type LiveSession, refreshTokenIdleDays } from './sessions.ts'

/** Who holds a refresh token, and how it stands by the database's clock. */
export interface RefreshTokenRecord extends LiveSession {
  /** The session is neither ended nor over, and its user may sign in. */
  isSessionLive: boolean
  isUsed: boolean
  /** It was used so lately that a replay may be a lost answer, or another tab. */
  isReplayable: boolean
  /** It was not used in time. */
  isExpired: boolean
}

/** A lost answer, or another tab that asked with the same token, comes back within this time. */
const replayWindowSeconds = 10

/** Who holds a refresh token; undefined for one that never was, or was forgotten. @param hash of the whole token */
export async function findRefreshToken(query: Query, hash: string): Promise<RefreshTokenRecord | undefined> {
  const [row] = await query<RefreshTokenRecord>(
    `SELECT s.session_id AS "sessionId", s.user_id AS "userId", u.email, s.expires_at AS "expiresAt",
       t.expires_at AS "refreshExpiresAt",
       s.ended_at IS NULL AND s.expires_at > clock_timestamp() AND u.disabled_at IS NULL AS "isSessionLive",
       t.used_at IS NOT NULL AS "isUsed",
       coalesce(t.used_at > clock_timestamp() - make_interval(secs => $2), false) AS "isReplayable",
       t.expires_at <= clock_timestamp() AS "isExpired"
     FROM refresh_tokens t JOIN sessions s USING (session_id) JOIN users u USING (user_id) WHERE t.hash = $1`,
    [hash, replayWindowSeconds],
  )
  return row
}

/**
 * Uses a refresh token up and keeps its successor, in one guarded statement: of any number at once, one does it.
 * @returns undefined where it was used before, or is none that can be used
 */
export async function replaceRefreshToken(
  query: Query,
  hash: string,
  successorHash: string,
): Promise<LiveSession | undefined> {
  const [row] = await query<LiveSession>(
    `WITH used AS (
       UPDATE refresh_tokens t SET used_at = clock_timestamp()
       FROM sessions s JOIN users u USING (user_id)
       WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > clock_timestamp() AND s.session_id = t.session_id
         AND s.ended_at IS NULL AND s.expires_at > clock_timestamp() AND u.disabled_at IS NULL
       RETURNING s.session_id, s.user_id, u.email, s.expires_at
     ), next AS (
       INSERT INTO refresh_tokens (hash, session_id, expires_at)
       SELECT $2, session_id, least(expires_at, date_trunc('milliseconds', clock_timestamp()) + make_interval(days => $3))
       FROM used RETURNING expires_at
     )
     SELECT used.session_id AS "sessionId", used.user_id AS "userId", used.email, used.expires_at AS "expiresAt",
       next.expires_at AS "refreshExpiresAt"
     FROM used, next`,
    [hash, successorHash, refreshTokenIdleDays],
  )
  return row
}

/** Which of these a session was given, and until when it is good. */
export async function findSuccessor(
  query: Query,
  sessionId: string,
  hashes: readonly string[],
): Promise<{ hash: string; expiresAt: Date } | undefined> {
  const [row] = await query<{ hash: string; expiresAt: Date }>(
    `SELECT hash, expires_at AS "expiresAt" FROM refresh_tokens WHERE session_id = $1 AND hash = ANY ($2)`,
    [sessionId, hashes],
  )
  return row
}
