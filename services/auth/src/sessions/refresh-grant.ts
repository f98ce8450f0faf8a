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
import { findRefreshToken, type RefreshTokenRecord } from '../store/sessions/refresh-tokens.ts'
import { workerQuery } from '../store/worker-query.ts'
import { audienceForResource } from '../tokens/audience.ts'
import { invalidClient, isPublicClient, publicClientId } from '../tokens/client-credentials.ts'
import { downscope } from './downscope.ts'
import { isRefreshToken } from './refresh-token.ts'
import { rotateRefreshToken } from './rotate-refresh-token.ts'
import { createSessionTokens } from './session-tokens.ts'

/**
 * Form B: a refresh token for an access token and the next refresh token (RFC 6749 section 6; rotation and reuse
 * detection after RFC 9700 section 4.14.2). What is wrong with the request is said before the token is used up.
 */
export async function refreshGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: InputOf<typeof auth.exchangeToken>,
): Promise<{ answer: SessionTokens; fields: Record<'ratelimit' | 'ratelimit-policy', string> }> {
  const { refresh_token: token, resource } = body
  if (token === undefined) throw invalidField('/refresh_token', 'is required', 'invalid_request')
  if (!isPublicClient({ ...body, authorization: headers.authorization })) throw invalidClient()
  const audience = audienceForResource(context.publicBaseUrl, resource)
  const query = workerQuery(context.database.worker)
  const held = isRefreshToken(token) ? await findRefreshToken(query, hashSecret(token)) : undefined
  if (held === undefined) return await rejectUnknownToken(context, caller)
  const restriction = isUsable(held) ? await downscope(context, held, body) : {}
  const limit = issuedTokenLimit(held.sessionId)
  const [counted] = await incrementCounters(query, [limit])
  const limits = counted === undefined ? {} : { client: { limit, counted } }
  if (isUsable(held)) throwIfTokenLimitExceeded(limits)
  const rotated = await rotateRefreshToken(context, caller, token)
  if (rotated === undefined) throw invalidGrant(rateLimitHeaders(limits))
  context.lastUsed.record(rotated.session.sessionId)
  const answer = await createSessionTokens(context, rotated.session, rotated.successor, { ...restriction, audience })
  return { answer, fields: rateLimitHeaders(limits) }
}

const isUsable = ({ isSessionLive, isExpired, isUsed, isReplayable }: RefreshTokenRecord): boolean =>
  isSessionLive && (isUsed ? isReplayable : !isExpired)

const invalidGrant = (fields: Record<string, string>) =>
  problem('invalid_grant', { detail: 'The refresh token is not good, or is no longer', headers: fields })

/**
 * A token that never was counts as a failure of the public client from this address. A good one is never refused for
 * it: they are beyond guessing, and many people may share an address.
 */
async function rejectUnknownToken({ database }: Context, { request }: RequestCaller): Promise<never> {
  const limit = clientFailureLimit(publicClientId, request?.ip)
  const [counted] = await incrementCounters(workerQuery(database.worker), [limit])
  const limits = counted === undefined ? {} : { failures: { limit, counted } }
  throwIfTokenLimitExceeded(limits)
  throw invalidGrant(rateLimitHeaders(limits))
}
