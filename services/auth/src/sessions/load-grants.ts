import type { Grant } from '@wp/contracts'
import type { Context } from '../context.ts'
import { resolveUserToken } from '../resolve/resolution.ts'
import { findSessionsById } from '../store/credentials/credential-lookup.ts'
import type { LiveSession } from '../store/sessions/sessions.ts'

/**
 * Loads the workspaces that the user of a session is a member of, with the scopes there; none if the session has ended.
 */
export async function loadGrants(
  pool: Context['database']['worker'],
  { sessionId, userId }: Pick<LiveSession, 'sessionId' | 'userId'>,
): Promise<Grant[]> {
  const presented = { type: 'token', principal_type: 'user', principal_id: userId, session_id: sessionId } as const
  const record = (await findSessionsById(pool, [sessionId])).get(sessionId)
  const resolution = resolveUserToken(presented, record)
  return resolution.status === 'active' ? resolution.identity.grants : []
}
