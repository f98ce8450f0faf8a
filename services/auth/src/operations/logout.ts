import { type authSessions, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { revokeAccessToken } from '../store/credentials/revoked-tokens.ts'
import { endSession } from '../store/sessions/sessions.ts'

/** Ends the session of the caller's token. The token of a service principal has no session and is revoked itself. */
export const logout: Operation<typeof authSessions.logout, Context> = async (context, caller) => {
  const { principal, credentialId: sessionId, tokenId, credentialExpiresAt } = caller
  return await context.database.transact(caller, async (tx) => {
    if (principal.type === 'user') {
      const ended = await endSession(tx.query, { sessionId, userId: principal.id }, 'logout')
      if (!ended) throw problem('revoked_credential')
      publishInvalidation(context, tx, { credential_id: sessionId })
      return { id: sessionId, ended: true }
    }
    if (tokenId === undefined || credentialExpiresAt === undefined) throw problem('bearer_required')
    const token = { tokenId, clientId: principal.id, expiresAt: new Date(credentialExpiresAt) }
    await revokeAccessToken(tx.query, token)
    tx.audit({ action: 'access_token.revoked', targets: [{ type: 'access_token', id: tokenId }] })
    publishInvalidation(context, tx, { principal_id: principal.id })
    return { id: tokenId, ended: true }
  })
}
