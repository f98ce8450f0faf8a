import { hash } from 'node:crypto'
import { networkPrefix } from '@wp/service'
import { type CounterStatus, type RateLimit, rateLimitHeaders, throwIfExceeded } from '../store/counters.ts'

const windowSeconds = 60

/** Limits the tokens issued to one client or session per minute. */
export const issuedTokenLimit = (id: string): RateLimit => ({ key: `token:${id}`, quota: 60, windowSeconds })

/** Failures admitted per minute. */
const failureQuota = 20

/**
 * Limits the wrong secrets for one existing client from one network per minute, or the unknown refresh tokens. The
 * network is part of the key, so that an attacker elsewhere cannot lock the client out.
 */
export const clientFailureLimit = (clientId: string, ip: string | undefined): RateLimit => ({
  key: `token-failures:${clientId}:${networkPrefix(ip ?? 'unknown')}`,
  quota: failureQuota,
  windowSeconds,
})

/** Counters that all failures without an existing client share: the rows an attacker can create by inventing ids. */
export const unknownClientBuckets = 256

/**
 * Limits the requests of unknown clients. Those with the same hash share a counter, so the number of rows is bounded.
 * That harms no client, because these requests fail in any case.
 * @param clientId untrusted text of any length, which is not stored
 */
export function unknownClientLimit(clientId: string, ip: string | undefined): RateLimit {
  const digest = hash('sha256', `${networkPrefix(ip ?? 'unknown')} ${clientId}`, 'buffer')
  return {
    key: `token-failures:unknown:${digest.readUInt32BE() % unknownClientBuckets}`,
    quota: failureQuota,
    windowSeconds,
  }
}

/** Limits of a token request with their status, by the names used in the response headers. */
type TokenLimits = Readonly<Partial<Record<'client' | 'failures', { limit: RateLimit; status: CounterStatus }>>>

/** Throws if a limit is exceeded. @throws Problem `rate_limited` with `Retry-After` and the rate-limit headers */
export function throwIfTokenLimitExceeded(limits: TokenLimits): void {
  const statuses = Object.values(limits).map(({ status }) => status)
  throwIfExceeded(statuses, 'Too many token requests', rateLimitHeaders(limits))
}
