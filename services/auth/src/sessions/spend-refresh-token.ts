import type { RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { hashSecret } from '../secrets/secret.ts'
import { findRefreshToken, findSuccessor, rotateRefreshToken } from '../store/refresh-tokens.ts'
import { endSession, type LiveSession } from '../store/sessions.ts'
import type { Tx } from '../store/transaction.ts'
import { successorsOf } from './refresh-token.ts'

/** A refresh token that was good, and what follows it. */
interface Spent {
  session: LiveSession
  /** The next refresh token. */
  successor: string
}

/**
 * Uses a refresh token up. Whoever comes with it again within the replay window gets the same successor; whoever comes
 * later holds a copy, or is the owner after a thief: nobody can tell, so the session ends. That commits, although the
 * request is refused.
 * @returns undefined where it is refused
 */
export async function spendRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
): Promise<Spent | undefined> {
  const hash = hashSecret(token)
  const [next, ...earlier] = successorsOf(context.serverKeys, token)
  if (next === undefined) throw new Error('there is no key to derive a refresh token with')
  return await context.database.transact(caller, async (tx) => {
    const session = await rotateRefreshToken(tx.query, hash, next.hash)
    if (session !== undefined) return { session, successor: next.text }
    const held = await findRefreshToken(tx.query, hash)
    if (held === undefined || !held.live || !held.used) return undefined
    if (!held.replayable) return await endReused(context, tx, held)
    // derived before the key was replaced, it may be another one than would be derived now
    const candidates = [next, ...earlier]
    const hashes = candidates.map((candidate) => candidate.hash)
    const kept = await findSuccessor(tx.query, held.sessionId, hashes)
    const successor = candidates.find((candidate) => candidate.hash === kept?.hash)
    if (kept === undefined || successor === undefined) return undefined
    return { session: { ...held, refreshExpiresAt: kept.expiresAt }, successor: successor.text }
  })
}

async function endReused(context: Context, tx: Tx, session: LiveSession): Promise<undefined> {
  const { sessionId, userId } = session
  if (!(await endSession(tx.query, session, 'reuse'))) return undefined // somebody else was as quick
  tx.auditAlso({
    action: 'session.reuse_detected',
    targets: [
      { type: 'session', id: sessionId },
      { type: 'user', id: userId },
    ],
    outcome: 'denied',
  })
  invalidate(context, tx, { credential_id: sessionId })
  context.metrics.count('auth_refresh_token_reuses_total')
  return undefined
}
