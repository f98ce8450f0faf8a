import {
  type auth,
  type InputOf,
  invalidField,
  isScope,
  problem,
  type RequestCaller,
  type SessionTokens,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { endReusedSession } from '../sessions/end-reused-session.ts'
import { startSession } from '../sessions/start-session.ts'
import { matchesCodeChallenge } from '../sign-in/login-secrets.ts'
import type { Tx } from '../store/client.ts'
import { incrementCounters, rateLimitHeaders } from '../store/counters.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import {
  type AuthorizationCodeRow,
  findCodePlacement,
  findSessionOfCode,
  redeemAuthorizationCode,
  storeSessionOfCode,
} from '../store/sessions/authorization-codes.ts'
import type { WorkspacePlacement } from '../store/workspaces/workspaces.ts'
import { audienceForResources, onlyResourceOf } from '../tokens/access-token.ts'
import { readPublicClientId } from './client-credentials.ts'
import { clientFailureLimit, issuedTokenLimit, throwIfTokenLimitExceeded } from './token-limits.ts'

type TokenRequest = InputOf<typeof auth.exchangeToken>

/** The parameters that must match those of the authorization request. */
interface PresentedCode {
  code: string
  redirectUri: string
  codeVerifier: string
  clientId: string
  /** The requested audience; undefined if no resource was named. */
  audience: readonly string[] | undefined
}

/**
 * Authorization code grant: exchanges a code for the tokens of a new session (RFC 6749 section 4.1.3, RFC 7636). Any
 * attempt uses the code up: one with a wrong verifier or client comes from someone who has stolen it. A second use ends
 * the session that began with the first (section 4.1.2).
 */
export async function authorizationCodeGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: TokenRequest,
): Promise<{ tokens: SessionTokens; headers: Record<'ratelimit' | 'ratelimit-policy', string> }> {
  const audience = audienceForResources(context.publicBaseUrl, body.resource)
  const presented = readPresentedCode({ body, headers }, body.resource === undefined ? undefined : audience)
  const query = workerQuery(context.database.extraPools.tokens)
  const hash = hashSecret(presented.code)
  const placement = await findCodePlacement(query, hash)
  if (placement === undefined) return await rejectUnknownCode(context, caller)
  const limit = issuedTokenLimit(placement.userId)
  const [status] = await incrementCounters(query, [limit])
  const limits = status === undefined ? {} : { client: { limit, status } }
  throwIfTokenLimitExceeded(limits)
  const { workspaceId, shard, userId } = placement
  const userCaller = { ...caller, workspaceId, shard, principal: { id: userId, type: 'user' as const } }
  const tokens = await context.database.transact(userCaller, async (tx) => {
    const code = await redeemAuthorizationCode(tx.query, hash)
    if (code === undefined) return await endSessionOfReusedCode(context, tx, hash, userId)
    if (!isPresentedCorrectly(code, presented)) return undefined
    return await startClientSession(context, tx, caller, { hash, code, placement, audience })
  })
  if (tokens === undefined) throw invalidGrant(rateLimitHeaders(limits))
  return { tokens, headers: rateLimitHeaders(limits) }
}

function readPresentedCode(
  { body, headers }: Pick<TokenRequest, 'body' | 'headers'>,
  audience: readonly string[] | undefined,
): PresentedCode {
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = body
  if (code === undefined) throw required('/code')
  if (redirectUri === undefined) throw required('/redirect_uri')
  if (codeVerifier === undefined) throw required('/code_verifier')
  const clientId = readPublicClientId({ ...body, authorization: headers.authorization })
  if (clientId === undefined) throw required('/client_id')
  return { code, redirectUri, codeVerifier, clientId, audience }
}

const required = (pointer: string) => invalidField(pointer, 'is required', 'invalid_request')

const invalidGrant = (headers: Record<string, string>) =>
  problem('invalid_grant', {
    detail: 'The code is invalid, was used, has expired, or was issued for other parameters',
    headers,
  })

const isPresentedCorrectly = (code: AuthorizationCodeRow, presented: PresentedCode): boolean =>
  code.clientId === presented.clientId &&
  code.redirectUri === presented.redirectUri &&
  (presented.audience === undefined ||
    code.resource === null ||
    code.resource === onlyResourceOf(presented.audience)) &&
  matchesCodeChallenge(presented.codeVerifier, code.codeChallenge)

interface RedeemedCode {
  hash: string
  code: AuthorizationCodeRow
  placement: WorkspacePlacement
  audience: readonly string[]
}

async function startClientSession(
  context: Context,
  tx: Tx,
  { request }: RequestCaller,
  { hash, code, placement: { workspaceId, shard, location }, audience }: RedeemedCode,
): Promise<SessionTokens> {
  const { userId, method, authenticatedAt, clientId, clientName, resource } = code
  const scopes = code.scopes.filter(isScope)
  const grant = { clientId, clientName, workspaceId, scopes, resource }
  const restriction = {
    placement: { workspaceId, shard, location },
    scopes,
    audience: resource === null ? audience : [resource],
  }
  const user = { userId, method, authenticatedAt: authenticatedAt ?? undefined }
  const signIn = { ...user, ip: request?.ip, userAgent: request?.userAgent, grant }
  const { session, tokens } = await startSession(context, tx, signIn, restriction)
  await storeSessionOfCode(tx.query, hash, session.sessionId)
  return tokens
}

/** The change is committed although the request is rejected. */
async function endSessionOfReusedCode(context: Context, tx: Tx, hash: string, userId: string): Promise<undefined> {
  const sessionId = await findSessionOfCode(tx.query, hash)
  if (sessionId !== undefined) await endReusedSession(context, tx, { sessionId, userId })
  return undefined
}

/** Counts an unknown code as a failure of the client network. Codes cannot be guessed, so no valid one is blocked. */
async function rejectUnknownCode({ database }: Context, { request }: RequestCaller): Promise<never> {
  const limit = clientFailureLimit('authorization_code', request?.ip)
  const [status] = await incrementCounters(workerQuery(database.extraPools.tokens), [limit])
  const limits = status === undefined ? {} : { failures: { limit, status } }
  throwIfTokenLimitExceeded(limits)
  throw invalidGrant(rateLimitHeaders(limits))
}
