import type { RequestCaller, SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { admitMethod } from '../passkeys/require-passkey.ts'
import { startSession } from '../sessions/start-session.ts'
import type { Tx } from '../store/client.ts'
import { alertNewDevice } from './sign-in-alert.ts'

/**
 * Starts the session of an authenticated user, emits the audit event, and alerts the user of a new device.
 * @throws Problem `passkey_required`
 */
export async function beginSession(
  context: Context,
  tx: Tx,
  { request }: RequestCaller,
  { userId, method, isStepUp, deviceToken }: { userId: string; method: string; isStepUp: boolean; deviceToken: string },
): Promise<SessionTokens> {
  await admitMethod(tx, { userId, method })
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
  await alertNewDevice(context, tx, { ...session, method, userAgent: request?.userAgent, deviceToken })
  return tokens
}
