import { type authSessions, type Operation, problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { hashSecret } from '../secrets/secret.ts'
import { isRefreshToken } from '../sessions/refresh-token.ts'
import { findRefreshToken } from '../store/refresh-tokens.ts'
import { revokeAccessToken } from '../store/revoked-tokens.ts'
import { endSession } from '../store/sessions.ts'
import type { ClientStanding } from '../store/standing.ts'
import { workerQuery } from '../store/worker-query.ts'
import { authenticateClient } from '../tokens/authenticate-client.ts'
import { invalidClient, isPublicClient, readClient } from '../tokens/client-credentials.ts'
import { type OwnToken, readOwnToken } from '../tokens/own-token.ts'

/** Revokes a token (RFC 7009). Who holds a token may end it; a machine's only the machine itself, as the RFC has it. */
export const revokeToken: Operation<typeof authSessions.revokeToken, Context> = async (context, caller, input) => {
  const { token } = input.body
  const given = { ...input.body, authorization: input.headers.authorization }
  const client = isPublicClient(given)
    ? undefined
    : (await authenticateClient(context, caller, readClient(given))).client
  if (token.startsWith('key_'))
    throw problem('unsupported_token_type', { detail: 'An API key is no token; delete it instead' })
  if (isRefreshToken(token)) await revokeRefreshToken(context, caller, token, client)
  else await revokeOwnToken(context, caller, await readOwnToken(context, token), client)
  return { revoked: true }
}

const notYours = () => problem('invalid_grant', { detail: 'The token was issued to another client' })

async function revokeRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
  client: ClientStanding | undefined,
): Promise<void> {
  const held = await findRefreshToken(workerQuery(context.database.worker), hashSecret(token))
  if (held === undefined) return
  if (client !== undefined) throw notYours()
  await end(context, caller, held)
}

async function revokeOwnToken(
  context: Context,
  caller: RequestCaller,
  token: OwnToken | undefined,
  client: ClientStanding | undefined,
): Promise<void> {
  if (token === undefined) return
  if (token.sessionId !== undefined) {
    if (client !== undefined) throw notYours()
    return await end(context, caller, { sessionId: token.sessionId, userId: token.principalId })
  }
  if (client === undefined) throw invalidClient()
  const { client_id: clientId, workspace_id: workspaceId, shard } = client
  if (token.principalId !== clientId) throw notYours()
  const actor = { ...caller, workspaceId, shard, principal: { id: clientId, type: 'service_principal' as const } }
  await context.database.transact(actor, async (tx) => {
    await revokeAccessToken(tx.query, { clientId, ...token })
    tx.audit({ action: 'access_token.revoked', targets: [{ type: 'access_token', id: token.tokenId }] })
    invalidate(context, tx, { principal_id: clientId })
  })
}

async function end(context: Context, caller: RequestCaller, session: { sessionId: string; userId: string }) {
  const { sessionId, userId } = session
  // who holds a token of the session acts as its user
  const actor = { ...caller, principal: { id: userId, type: 'user' as const } }
  await context.database.transact(actor, async (tx) => {
    if (!(await endSession(tx.query, session, 'revoked'))) return
    tx.audit({ action: 'session.ended', targets: [{ type: 'session', id: sessionId }] })
    invalidate(context, tx, { credential_id: sessionId })
  })
}
