import { type auth, type InputOf, invalidField, problem, type RequestCaller, type SessionAnswer } from '@wp/contracts'
import type { Context } from '../context.ts'
import { count } from '../limits/counters.ts'
import { failureLimit, limitFields, refuseExceeded, successLimit } from '../limits/token-limits.ts'
import { hashSecret } from '../secrets/secret.ts'
import { findRefreshToken, type HeldToken } from '../store/refresh-tokens.ts'
import { workerQuery } from '../store/worker-query.ts'
import { audienceFor } from '../tokens/audience.ts'
import { invalidClient, isPublicClient, publicClient } from '../tokens/client-credentials.ts'
import { narrow } from './narrow.ts'
import { isRefreshToken } from './refresh-token.ts'
import { sessionAnswer } from './session-answer.ts'
import { spendRefreshToken } from './spend-refresh-token.ts'

/**
 * Form B: a refresh token for an access token and the next refresh token (RFC 6749 section 6; rotation and reuse
 * detection after RFC 9700 section 4.14.2). What is wrong with the request is said before the token is used up.
 */
export async function refreshGrant(
  context: Context,
  caller: RequestCaller,
  { body, headers }: InputOf<typeof auth.exchangeToken>,
): Promise<{ answer: SessionAnswer; fields: Record<'ratelimit' | 'ratelimit-policy', string> }> {
  const { refresh_token: token, resource } = body
  if (token === undefined) throw invalidField('/refresh_token', 'is required', 'invalid_request')
  if (!isPublicClient({ ...body, authorization: headers.authorization })) throw invalidClient()
  const audience = audienceFor(context.base, resource)
  const query = workerQuery(context.database.worker)
  const held = isRefreshToken(token) ? await findRefreshToken(query, hashSecret(token)) : undefined
  if (held === undefined) return await refuseUnknown(context, caller)
  const narrowing = isGood(held) ? await narrow(context, held, body) : {}
  const limit = successLimit(held.sessionId)
  const [counted] = await count(query, [limit])
  const limits = counted === undefined ? {} : { client: { limit, counted } }
  if (isGood(held)) refuseExceeded(limits)
  const spent = await spendRefreshToken(context, caller, token)
  if (spent === undefined) throw invalidGrant(limitFields(limits))
  context.lastUsed.note(spent.session.sessionId)
  const answer = await sessionAnswer(context, spent.session, spent.successor, { ...narrowing, audience })
  return { answer, fields: limitFields(limits) }
}

const isGood = ({ live, expired, used, replayable }: HeldToken): boolean => live && (used ? replayable : !expired)

const invalidGrant = (fields: Record<string, string>) =>
  problem('invalid_grant', { detail: 'The refresh token is not good, or is no longer', headers: fields })

/**
 * A token that never was counts as a failure of the public client from this address. A good one is never refused for
 * it: they are beyond guessing, and many people may share an address.
 */
async function refuseUnknown({ database }: Context, { request }: RequestCaller): Promise<never> {
  const limit = failureLimit(publicClient, request?.ip)
  const [counted] = await count(workerQuery(database.worker), [limit])
  const limits = counted === undefined ? {} : { failures: { limit, counted } }
  refuseExceeded(limits)
  throw invalidGrant(limitFields(limits))
}
