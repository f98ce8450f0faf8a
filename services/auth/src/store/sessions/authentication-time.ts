import type { Query } from '@wp/database'
import { clientGrantColumn, type LiveSession } from './sessions.ts'

/** A live session without its refresh token. */
export type AuthenticatedSession = Omit<LiveSession, 'refreshExpiresAt'>

type SessionOwner = Pick<LiveSession, 'sessionId' | 'userId'>

const columns = `s.session_id, s.user_id, u.email, s.expires_at,
  s.authenticated_at, s.is_step_up, ${clientGrantColumn}`
const liveCondition = `s.session_id = $1 AND s.user_id = $2 AND u.user_id = s.user_id AND s.ended_at IS NULL
  AND s.expires_at > clock_timestamp() AND u.disabled_at IS NULL`

/** Finds the session of a user; undefined if it has ended or the user is disabled. */
export async function findAuthenticatedSession(
  query: Query,
  { sessionId, userId }: SessionOwner,
): Promise<AuthenticatedSession | undefined> {
  const [row] = await query<AuthenticatedSession>(`SELECT ${columns} FROM sessions s, users u WHERE ${liveCondition}`, [
    sessionId,
    userId,
  ])
  return row
}

/**
 * Records that the user of a session has proved again who they are.
 * @returns the changed session; undefined if it has ended or the user is disabled
 */
export async function markReauthenticated(
  query: Query,
  { sessionId, userId }: SessionOwner,
): Promise<AuthenticatedSession | undefined> {
  const [row] = await query<AuthenticatedSession>(
    `UPDATE sessions s SET authenticated_at = date_trunc('milliseconds', clock_timestamp())
     FROM users u WHERE ${liveCondition} RETURNING ${columns}`,
    [sessionId, userId],
  )
  return row
}
