import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { findRefreshToken, findSuccessor, replaceRefreshToken } from '../store/sessions/refresh-tokens.ts'
import type { LiveSession } from '../store/sessions/sessions.ts'
import { endReusedSession } from './end-reused-session.ts'
import { deriveSuccessors } from './refresh-token.ts'

interface RotatedSession {
  session: LiveSession
  /** The next refresh token. */
  successor: string
}

/**
 * Invalidates a refresh token and returns its successor. A replay within the replay window gets the same successor. A
 * later replay means that the token was copied, by the caller or from the caller, so the session ends. That change is
 * committed although the request is rejected.
 * @returns undefined if the token is rejected
 */
export async function rotateRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
): Promise<RotatedSession | undefined> {
  const hash = hashSecret(token)
  const [next, ...earlier] = deriveSuccessors(context.derivedKeys, token)
  if (next === undefined) throw new Error('no key to derive a refresh token')
  return await context.database.transact(caller, async (tx) => {
    const session = await replaceRefreshToken(tx.query, hash, next.hash)
    if (session !== undefined) return { session, successor: next.text }
    const storedToken = await findRefreshToken(tx.query, hash)
    if (storedToken === undefined || !storedToken.isSessionLive || !storedToken.isUsed) return undefined
    if (!storedToken.isReplayable) return await endSessionAfterReuse(context, tx, storedToken)
    // The successor may have been derived with a key that was replaced since.
    const candidates = [next, ...earlier]
    const hashes = candidates.map((candidate) => candidate.hash)
    const storedSuccessor = await findSuccessor(tx.query, storedToken.sessionId, hashes)
    const successor = candidates.find((candidate) => candidate.hash === storedSuccessor?.hash)
    if (storedSuccessor === undefined || successor === undefined) return undefined
    return { session: { ...storedToken, refreshExpiresAt: storedSuccessor.expiresAt }, successor: successor.text }
  })
}

async function endSessionAfterReuse(context: Context, tx: Tx, session: LiveSession): Promise<undefined> {
  if (await endReusedSession(context, tx, session)) context.metrics.count('auth_refresh_token_reuses_total')
  return undefined
}
