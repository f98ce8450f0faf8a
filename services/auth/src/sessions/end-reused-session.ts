import type { Context } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import type { Tx } from '../store/client.ts'
import { endSessionRow } from '../store/sessions/sessions.ts'

/** Ends a session whose code or token was used again. @returns false if a concurrent request has ended it */
export async function endReusedSession(
  context: Context,
  tx: Tx,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<boolean> {
  if (!(await endSessionRow(tx.query, { sessionId, userId }, 'reuse'))) return false
  tx.emitAudit({
    action: 'session.reuse_detected',
    targets: [
      { type: 'session', id: sessionId },
      { type: 'user', id: userId },
    ],
    outcome: 'denied',
  })
  publishInvalidation(context, tx, { credential_id: sessionId })
  return true
}
