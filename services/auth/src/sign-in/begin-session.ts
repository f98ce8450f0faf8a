import type { RequestCaller, SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { startSession } from '../sessions/start-session.ts'
import type { Tx } from '../store/client.ts'

/** Starts the session of an authenticated user and emits the audit event. */
export async function beginSession(
  context: Context,
  tx: Tx,
  { request }: RequestCaller,
  { userId, method, isStepUp }: { userId: string; method: string; isStepUp: boolean },
): Promise<SessionTokens> {
  const { session, tokens } = await startSession(context, tx, {
    userId,
    method,
    ip: request?.ip,
    userAgent: request?.userAgent,
    isStepUp,
  })
  const targets = [
    { type: 'user', id: userId },
    { type: 'session', id: session.sessionId },
  ]
  tx.emitAudit({ action: 'user.signed_in', targets, changes: { method } }, { id: userId, type: 'user' })
  return tokens
}
