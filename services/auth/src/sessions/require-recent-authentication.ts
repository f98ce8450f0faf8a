import { problem, type RequestCaller, stepUpMaxAgeSeconds } from '@wp/contracts'
import type { Tx } from '../store/client.ts'
import { type AuthenticatedSession, findAuthenticatedSession } from '../store/sessions/sessions.ts'

/**
 * Returns the session of the caller if its user has authenticated recently. The edge asks only sessions with step-up
 * authentication; what changes how a user signs in asks every session.
 * @throws Problem `revoked_credential`, `reauthentication_required`
 */
export async function requireRecentAuthentication(
  { now }: { now: () => number },
  { query }: Tx,
  { credentialId: sessionId, principal }: RequestCaller,
): Promise<AuthenticatedSession> {
  const session = await findAuthenticatedSession(query, { sessionId, userId: principal.id })
  if (session === undefined) throw problem('revoked_credential')
  if (now() - session.authenticatedAt.getTime() <= stepUpMaxAgeSeconds * 1000) return session
  throw problem('reauthentication_required', {
    detail: `The last authentication was more than ${stepUpMaxAgeSeconds} seconds ago; re-authenticate and use the new token`,
    extra: { max_age: stepUpMaxAgeSeconds },
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${stepUpMaxAgeSeconds}"`,
    },
  })
}
