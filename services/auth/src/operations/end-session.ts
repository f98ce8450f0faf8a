import { type authSessions, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { endSession as endSessionRow } from '../store/sessions/sessions.ts'

/** Ends a session of the signed-in user, the current one or another. */
export const endSession: Operation<typeof authSessions.endSession, Context> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const session = { sessionId: params.id, userId: caller.principal.id }
    if (!(await endSessionRow(tx.query, session, 'revoked'))) throw problem('not_found')
    publishInvalidation(context, tx, { credential_id: params.id })
    return { id: params.id }
  })
