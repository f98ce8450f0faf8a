import { type authSessions, type Operation, problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { authenticateClient } from '../grants/authenticate-client.ts'
import { invalidClient, isPublicClient, readClientCredentials } from '../grants/client-credentials.ts'
import { publishInvalidation } from '../publish-invalidation.ts'
import { hashSecret } from '../secrets/secret.ts'
import { isRefreshToken } from '../sessions/refresh-token.ts'
import type { ClientRecord } from '../store/credentials/credential-lookup.ts'
import { revokeAccessToken } from '../store/credentials/revoked-tokens.ts'
import { findRefreshToken } from '../store/sessions/refresh-tokens.ts'
import { endSession } from '../store/sessions/sessions.ts'
import { workerQuery } from '../store/worker-query.ts'
import { type VerifiedAccessToken, verifyAccessToken } from '../tokens/verify-access-token.ts'

/**
 * Revokes a token (RFC 7009). The possession of a user's token suffices; the token of a service principal can only be
 * revoked by that client, as the RFC requires.
 */
export const revokeToken: Operation<typeof authSessions.revokeToken, Context> = async (context, caller, input) => {
  const { token } = input.body
  const given = { ...input.body, authorization: input.headers.authorization }
  const client = isPublicClient(given)
    ? undefined
    : (await authenticateClient(context, caller, readClientCredentials(given))).client
  if (token.startsWith('key_'))
    throw problem('unsupported_token_type', { detail: 'An API key is not a token; delete it instead' })
  if (isRefreshToken(token)) await revokeRefreshToken(context, caller, token, client)
  else await revokeVerifiedToken(context, caller, await verifyAccessToken(context, token), client)
  return { revoked: true }
}

const issuedToOtherClient = () => problem('invalid_grant', { detail: 'The token was issued to another client' })

async function revokeRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
  client: ClientRecord | undefined,
): Promise<void> {
  const storedToken = await findRefreshToken(workerQuery(context.database.extraPools.tokens), hashSecret(token))
  if (storedToken === undefined) return
  if (client !== undefined) throw issuedToOtherClient()
  await endSessionOf(context, caller, storedToken)
}

async function revokeVerifiedToken(
  context: Context,
  caller: RequestCaller,
  token: VerifiedAccessToken | undefined,
  client: ClientRecord | undefined,
): Promise<void> {
  if (token === undefined) return
  if (token.sessionId !== undefined) {
    if (client !== undefined) throw issuedToOtherClient()
    return await endSessionOf(context, caller, { sessionId: token.sessionId, userId: token.principalId })
  }
  if (client === undefined) throw invalidClient()
  const { client_id: clientId, workspace_id: workspaceId, shard } = client
  if (token.principalId !== clientId) throw issuedToOtherClient()
  const actor = { ...caller, workspaceId, shard, principal: { id: clientId, type: 'service_principal' as const } }
  await context.database.transact(actor, async (tx) => {
    await revokeAccessToken(tx.query, { clientId, ...token })
    tx.audit({ action: 'access_token.revoked', targets: [{ type: 'access_token', id: token.tokenId }] })
    publishInvalidation(context, tx, { principal_id: clientId })
  })
}

async function endSessionOf(context: Context, caller: RequestCaller, session: { sessionId: string; userId: string }) {
  const { sessionId, userId } = session
  // The holder of a session's token acts as its user.
  const actor = { ...caller, principal: { id: userId, type: 'user' as const } }
  await context.database.transact(actor, async (tx) => {
    if (!(await endSession(tx.query, session, 'revoked'))) return
    tx.audit({ action: 'session.ended', targets: [{ type: 'session', id: sessionId }] })
    publishInvalidation(context, tx, { credential_id: sessionId })
  })
}
