import { type auth, type InputOf, invalidField, problem, type RequestCaller, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { incrementCounters } from '../rate-limits/counters.ts'
import {
  clientFailureLimit,
  issuedTokenLimit,
  rateLimitHeaders,
  throwIfTokenLimitExceeded,
} from '../rate-limits/token-limits.ts'
import { hashSecret } from '../secrets/secret.ts'
import { downscope } from '../sessions/downscope.ts'
import { isRefreshToken } from '../sessions/refresh-token.ts'
import { rotateRefreshToken } from '../sessions/rotate-refresh-token.ts'
import { createSessionTokens } from '../sessions/session-tokens.ts'
import { findRefreshToken, type RefreshTokenRecord } from '../store/sessions/refresh-tokens.ts'
import { workerQuery } from '../store/worker-query.ts'
import { publicClientId } from '../tokens/access-token.ts'
import { audienceForResource } from '../tokens/audience.ts'
import { invalidClient, isPublicClient } from './client-credentials.ts'

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
  if (!isPublicClient({ ...body, authorization: headers.authorization })) throw invalidClient()
  const audience = audienceForResource(context.publicBaseUrl, resource)
  const query = workerQuery(context.database.extraPools.tokens)
  const storedToken = isRefreshToken(token) ? await findRefreshToken(query, hashSecret(token)) : undefined
  if (storedToken === undefined) return await rejectUnknownToken(context, caller)
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
