import { problem, type RequestCaller } from '@wp/contracts'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Context, Operation } from '../context.ts'
import { authenticateClient } from '../grants/authenticate-client.ts'
import {
  invalidClient,
  isPublicClient,
  readClientCredentials,
  readPublicClientId,
} from '../grants/client-credentials.ts'
import { publishInvalidation } from '../identity-log.ts'
import { hashSecret } from '../secrets/secret.ts'
import { isRefreshToken } from '../sessions/refresh-token.ts'
import type { ClientRecord } from '../store/credentials/credential-lookup.ts'
import { revokeAccessToken } from '../store/credentials/revoked-tokens.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { findRefreshToken } from '../store/sessions/refresh-tokens.ts'
import { endSessionRow } from '../store/sessions/sessions.ts'
import { publicClientId, type TokenIssuer } from '../tokens/access-token.ts'

/**
 * Revokes a token (RFC 7009). The possession of a user's token suffices; the token of a service principal can only be
 * revoked by that client, as the RFC requires.
 */
export const revokeToken: Operation<'revokeToken'> = async (context, caller, input) => {
  const { token } = input.body
  const given = { ...input.body, authorization: input.headers.authorization }
  const client: RevokingClient = isPublicClient(given)
    ? { publicId: readPublicClientId(given), confidential: undefined }
    : { confidential: (await authenticateClient(context, caller, readClientCredentials(given))).client }
  if (token.startsWith('key_'))
    throw problem('unsupported_token_type', { detail: 'An API key is not a token; delete it instead' })
  if (isRefreshToken(token)) await revokeRefreshToken(context, caller, token, client)
  else await revokeVerifiedToken(context, caller, await verifyAccessToken(context, token), client)
  return { revoked: true }
}

/** The client of a request: a public one, named or not, or one that has authenticated. */
type RevokingClient = { publicId: string | undefined; confidential: undefined } | { confidential: ClientRecord }

/** Checks that a user's token was issued to the client of the request, if it names one (RFC 7009 section 2.1). */
function requireIssuedTo(client: RevokingClient, issuedTo: string | undefined): void {
  if (client.confidential !== undefined) throw issuedToOtherClient()
  if (client.publicId !== undefined && client.publicId !== (issuedTo ?? publicClientId)) throw issuedToOtherClient()
}

const issuedToOtherClient = () => problem('invalid_grant', { detail: 'The token was issued to another client' })

async function revokeRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
  client: RevokingClient,
): Promise<void> {
  const storedToken = await findRefreshToken(workerQuery(context.database.extraPools.tokens), hashSecret(token))
  if (storedToken === undefined) return
  requireIssuedTo(client, storedToken.grant?.clientId)
  await endSessionOf(context, caller, storedToken)
}

async function revokeVerifiedToken(
  context: Context,
  caller: RequestCaller,
  token: VerifiedAccessToken | undefined,
  client: RevokingClient,
): Promise<void> {
  if (token === undefined) return
  if (token.sessionId !== undefined) {
    requireIssuedTo(client, token.clientId)
    return await endSessionOf(context, caller, { sessionId: token.sessionId, userId: token.principalId })
  }
  if (client.confidential === undefined) throw invalidClient()
  const { clientId, workspaceId, shard } = client.confidential
  if (token.principalId !== clientId) throw issuedToOtherClient()
  const actor = { ...caller, workspaceId, shard, principal: { id: clientId, type: 'service_principal' as const } }
  await context.database.transact(actor, async (tx) => {
    await revokeAccessToken(tx.query, { ...token, clientId })
    tx.audit({ action: 'access_token.revoked', targets: [{ type: 'access_token', id: token.tokenId }] })
    publishInvalidation(context, tx, { principal_id: clientId })
  })
}

async function endSessionOf(context: Context, caller: RequestCaller, session: { sessionId: string; userId: string }) {
  const { sessionId, userId } = session
  // The holder of a session's token acts as its user.
  const actor = { ...caller, principal: { id: userId, type: 'user' as const } }
  await context.database.transact(actor, async (tx) => {
    if (!(await endSessionRow(tx.query, session, 'revoked'))) return
    tx.audit({ action: 'session.ended', targets: [{ type: 'session', id: sessionId }] })
    publishInvalidation(context, tx, { credential_id: sessionId })
  })
}

/** Claims of a valid access token of this platform. */
interface VerifiedAccessToken {
  principalId: string
  tokenId: string
  /** The client it was issued to. */
  clientId: string | undefined
  /** Undefined for the token of a service principal. */
  sessionId: string | undefined
  expiresAt: Date
}

/** Verifies an access token of this platform. @returns undefined for an invalid or expired token */
async function verifyAccessToken(
  { publicBaseUrl, signingKeys, now }: TokenIssuer,
  token: string,
): Promise<VerifiedAccessToken | undefined> {
  const verified = await jwtVerify(token, createLocalJWKSet({ keys: signingKeys.published() }), {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: publicBaseUrl,
    requiredClaims: ['sub', 'exp', 'jti'],
    currentDate: new Date(now()),
  }).catch(() => undefined)
  const { sub, jti, exp, sid, client_id: clientId } = verified?.payload ?? {}
  if (sub === undefined || jti === undefined || exp === undefined) return undefined
  return {
    principalId: sub,
    tokenId: jti,
    clientId: typeof clientId === 'string' ? clientId : undefined,
    sessionId: typeof sid === 'string' ? sid : undefined,
    expiresAt: new Date(exp * 1000),
  }
}
