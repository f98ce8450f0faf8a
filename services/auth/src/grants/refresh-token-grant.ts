import { type auth, type InputOf, invalidField, problem, type RequestCaller, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secrets/secret.ts'
import { downscope } from '../sessions/downscope.ts'
import { endReusedSession } from '../sessions/end-reused-session.ts'
import { deriveSuccessors, isRefreshToken } from '../sessions/refresh-token.ts'
import { createSessionTokens } from '../sessions/session-tokens.ts'
import type { Tx } from '../store/client.ts'
import { incrementCounters, rateLimitHeaders } from '../store/counters.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import {
  findRefreshToken,
  findSuccessor,
  type RefreshTokenRecord,
  replaceRefreshToken,
} from '../store/sessions/refresh-tokens.ts'
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

interface RotatedSession {
  session: LiveSession
  /** The next refresh token. */
  successor: string
}

/**
 * Invalidates a refresh token and returns its successor. A replay within the replay window gets the same successor. A
 * later replay means that the token was copied, by the caller or from the caller, so the session ends. That change is
 * committed although the request is rejected.
 * @returns undefined if the token is rejected
 */
export async function rotateRefreshToken(
  context: Context,
  caller: RequestCaller,
  token: string,
): Promise<RotatedSession | undefined> {
  const hash = hashSecret(token)
  const [next, ...earlier] = deriveSuccessors(context.derivedKeys, token)
  if (next === undefined) throw new Error('no key to derive a refresh token')
  return await context.database.transact(caller, async (tx) => {
    const session = await replaceRefreshToken(tx.query, hash, next.hash)
    if (session !== undefined) return { session, successor: next.text }
    const storedToken = await findRefreshToken(tx.query, hash)
    if (storedToken === undefined || !storedToken.isSessionLive || !storedToken.isUsed) return undefined
    if (!storedToken.isReplayable) return await endSessionAfterReuse(context, tx, storedToken)
    // The successor may have been derived with a key that was replaced since.
    const candidates = [next, ...earlier]
    const hashes = candidates.map((candidate) => candidate.hash)
    const storedSuccessor = await findSuccessor(tx.query, storedToken.sessionId, hashes)
    const successor = candidates.find((candidate) => candidate.hash === storedSuccessor?.hash)
    if (storedSuccessor === undefined || successor === undefined) return undefined
    return { session: { ...storedToken, refreshExpiresAt: storedSuccessor.expiresAt }, successor: successor.text }
  })
}

async function endSessionAfterReuse(context: Context, tx: Tx, session: LiveSession): Promise<undefined> {
  if (await endReusedSession(context, tx, session)) context.metrics.count('auth_refresh_token_reuses_total')
  return undefined
}
