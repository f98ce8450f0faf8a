import { hash } from 'node:crypto'
import { networkPrefix } from '@wp/service'
import { type CounterStatus, type RateLimit, throwIfExceeded } from './counters.ts'

const windowSeconds = 60

/** Limits the tokens issued to one client or session per minute. */
export const issuedTokenLimit = (id: string): RateLimit => ({ key: `token:${id}`, quota: 60, windowSeconds })

/**
 * Limits the wrong secrets for one client from one network per minute. The network is part of the key, so that an
 * attacker elsewhere cannot lock the client out. The client id is untrusted text of any length, so the key has its
 * hash.
 */
export const clientFailureLimit = (clientId: string, ip: string | undefined): RateLimit => ({
  key: `token-failures:${hash('sha256', clientId, 'hex').slice(0, 32)}:${networkPrefix(ip ?? 'unknown')}`,
  quota: 20,
  windowSeconds,
})

/** Limits of a token request with their status, by the names used in the response headers. */
export type TokenLimits = Readonly<Partial<Record<'client' | 'failures', { limit: RateLimit; status: CounterStatus }>>>

/** Returns the rate-limit header fields (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(limits: TokenLimits): Record<'ratelimit' | 'ratelimit-policy', string> {
  const named = Object.entries(limits)
  return {
    'ratelimit-policy': named.map(([name, { limit }]) => `"${name}";q=${limit.quota};w=${windowSeconds}`).join(', '),
    ratelimit: named.map(([name, { status }]) => `"${name}";r=${status.remaining};t=${status.resetSeconds}`).join(', '),
  }
}

/** Throws if a limit is exceeded. @throws Problem `rate_limited` with `Retry-After` and the rate-limit headers */
export function throwIfTokenLimitExceeded(limits: TokenLimits): void {
  const statuses = Object.values(limits).map(({ status }) => status)
  throwIfExceeded(statuses, 'Too many token requests', rateLimitHeaders(limits))
}
