import type { Query, Row } from '@wp/database'
import type { RefreshToken } from '#db'
import { type LiveSession, refreshTokenIdleDays, sessionColumns } from './sessions.ts'

/** A refresh token with its session. States are by the clock of the database. */
export interface RefreshTokenRecord extends LiveSession {
  /** True if the session is neither ended nor expired, and its user is not disabled. */
  isSessionLive: boolean
  isUsed: boolean
  /** True if the token was used within the replay window. */
  isReplayable: boolean
  /** True if the token was not used within its lifetime. */
  isExpired: boolean
}

/** Replay window: a client repeats a request after a lost response, or from another tab, within this time. */
const replayWindowSeconds = 10

/** Finds a refresh token; undefined if it never existed or was deleted. @param hash SHA-256 of the whole token */
export async function findRefreshToken(query: Query, hash: string): Promise<RefreshTokenRecord | undefined> {
  const [row] = await query<RefreshTokenRecord>(
    `SELECT ${sessionColumns}, t.expires_at AS refresh_expires_at,
       s.ended_at IS NULL AND s.expires_at > clock_timestamp() AND u.disabled_at IS NULL AS is_session_live,
       t.used_at IS NOT NULL AS is_used,
       coalesce(t.used_at > clock_timestamp() - make_interval(secs => $2), false) AS is_replayable,
       t.expires_at <= clock_timestamp() AS is_expired
     FROM refresh_tokens t JOIN sessions s USING (session_id) JOIN users u USING (user_id) WHERE t.hash = $1`,
    [hash, replayWindowSeconds],
  )
  return row
}

/**
 * Marks a valid refresh token as used and inserts its successor, in one statement that only one of several concurrent
 * calls can execute successfully.
 * @returns undefined if the token was used before or is not valid
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
       RETURNING ${sessionColumns}
     ), next AS (
       INSERT INTO refresh_tokens (hash, session_id, expires_at)
       SELECT $2, session_id, least(expires_at, date_trunc('milliseconds', clock_timestamp()) + make_interval(days => $3))
       FROM used RETURNING expires_at
     )
     SELECT used.*, next.expires_at AS refresh_expires_at FROM used, next`,
    [hash, successorHash, refreshTokenIdleDays],
  )
  return row
}

/** Finds the refresh token of a session among candidate hashes. */
export async function findSuccessor(
  query: Query,
  sessionId: string,
  hashes: readonly string[],
): Promise<Row<RefreshToken, 'hash' | 'expiresAt'> | undefined> {
  const [row] = await query<Row<RefreshToken, 'hash' | 'expiresAt'>>(
    `SELECT hash, expires_at FROM refresh_tokens WHERE session_id = $1 AND hash = ANY ($2)`,
    [sessionId, hashes],
  )
  return row
}
