import { type auth, type InputOf, invalidField, problem, type RequestCaller, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { downscope } from '../sessions/downscope.ts'
import { isRefreshToken } from '../sessions/refresh-token.ts'
import { rotateRefreshToken } from '../sessions/rotate-refresh-token.ts'
import { createSessionTokens } from '../sessions/session-tokens.ts'
import { incrementCounters, rateLimitHeaders } from '../store/counters.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { findRefreshToken, type RefreshTokenRecord } from '../store/sessions/refresh-tokens.ts'
import type { LiveSession } from '../store/sessions/sessions.ts'
import { audienceForResources, onlyResourceOf, publicClientId } from '../tokens/access-token.ts'
import { readPublicClientId } from './client-credentials.ts'
import { clientFailureLimit, issuedTokenLimit, throwIfTokenLimitExceeded } from './token-limits.ts'

/**
 * Refresh token grant: exchanges a refresh token for an access token and the next refresh token (RFC 6749 section 6;
 * rotation and reuse detection as in RFC 9700 section 4.14.2). The request is validated before the token is
 * invalidated.
 */
export async function refreshTokenGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: InputOf<typeof auth.exchangeToken>,
): Promise<{ tokens: SessionTokens; headers: Record<'ratelimit' | 'ratelimit-policy', string> }> {
  const { refresh_token: token, resource } = body
  if (token === undefined) throw invalidField('/refresh_token', 'is required', 'invalid_request')
  const clientId = readPublicClientId({ ...body, authorization: headers.authorization }) ?? publicClientId
  const query = workerQuery(context.database.extraPools.tokens)
  const storedToken = isRefreshToken(token) ? await findRefreshToken(query, hashSecret(token)) : undefined
  // A token is bound to its client: one that was stolen is useless to another. It stays valid for its owner.
  if (storedToken === undefined || clientOf(storedToken) !== clientId) return await rejectUnknownToken(context, caller)
  const audience = audienceOf(context.publicBaseUrl, storedToken, resource)
  const restriction = isUsable(storedToken) ? await downscope(context, storedToken, body) : {}
  const limit = issuedTokenLimit(storedToken.sessionId)
  const [status] = await incrementCounters(query, [limit])
  const limits = status === undefined ? {} : { client: { limit, status } }
  if (isUsable(storedToken)) throwIfTokenLimitExceeded(limits)
  const rotated = await rotateRefreshToken(context, caller, token)
  if (rotated === undefined) throw invalidGrant(rateLimitHeaders(limits))
  context.lastUsed.record(rotated.session.sessionId)
  const tokens = await createSessionTokens(context, rotated.session, rotated.successor, { ...restriction, audience })
  return { tokens, headers: rateLimitHeaders(limits) }
}

const clientOf = ({ grant }: LiveSession): string => grant?.clientId ?? publicClientId

/**
 * Returns the audience of the new access token. @throws Problem `invalid_target` if the user granted another resource
 */
function audienceOf(publicBaseUrl: string, { grant }: LiveSession, requested: string[] | undefined): string[] {
  const granted = grant?.resource ?? undefined
  const audience = audienceForResources(publicBaseUrl, requested ?? (granted === undefined ? undefined : [granted]))
  if (granted !== undefined && onlyResourceOf(audience) !== granted)
    throw problem('invalid_target', { detail: `resource must be ${granted}, which the user granted` })
  return audience
}

const isUsable = ({ isSessionLive, isExpired, isUsed, isReplayable }: RefreshTokenRecord): boolean =>
  isSessionLive && (isUsed ? isReplayable : !isExpired)

const invalidGrant = (headers: Record<string, string>) =>
  problem('invalid_grant', { detail: 'The refresh token is invalid or has expired', headers })

/**
 * Counts an unknown token as a failure of the public client in this network. The failures never block a valid token:
 * tokens cannot be guessed, and many users can share a network.
 */
async function rejectUnknownToken({ database }: Context, { request }: RequestCaller): Promise<never> {
  const limit = clientFailureLimit(publicClientId, request?.ip)
  const [status] = await incrementCounters(workerQuery(database.extraPools.tokens), [limit])
  const limits = status === undefined ? {} : { failures: { limit, status } }
  throwIfTokenLimitExceeded(limits)
  throw invalidGrant(rateLimitHeaders(limits))
}
