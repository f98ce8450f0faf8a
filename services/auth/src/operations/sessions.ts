import { problem } from '@wp/contracts'
import { mapPage } from '@wp/database'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { revokeAccessToken } from '../store/credentials/revoked-tokens.ts'
import { endSessionRow, listSessionRows } from '../store/sessions/sessions.ts'
import { sessionView } from '../views.ts'

export const listSessions: Operation<'listSessions'> = async ({ database }, caller, { query }) => {
  const { principal, workspaceId, credentialId } = caller
  const page = await database.read({ workspaceId }, (_db, sql) => listSessionRows(sql, principal.id, query))
  return mapPage(page, (row) => sessionView(row, credentialId))
}

export const endSession: Operation<'endSession'> = async (context, caller, { params }) =>
  await context.database.transact(caller, async (tx) => {
    const session = { sessionId: params.id, userId: caller.principal.id }
    if (!(await endSessionRow(tx.query, session, 'revoked'))) throw problem('not_found')
    publishInvalidation(context, tx, { credential_id: params.id })
    return { id: params.id }
  })

/** Ends the session of the caller's token. The token of a service principal has no session and is revoked itself. */
export const logout: Operation<'logout'> = async (context, caller) => {
  const { principal, credentialId: sessionId, tokenId, credentialExpiresAt } = caller
  return await context.database.transact(caller, async (tx) => {
    if (principal.type === 'user') {
      const ended = await endSessionRow(tx.query, { sessionId, userId: principal.id }, 'logout')
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
