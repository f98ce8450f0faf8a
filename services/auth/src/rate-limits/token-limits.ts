import { hash } from 'node:crypto'
import { networkPrefix } from '@wp/service'
import { type CounterStatus, type RateLimit, throwIfExceeded } from './counters.ts'

const windowSeconds = 60

/** Tokens a minute that one client, or one session, is given. */
export const issuedTokenLimit = (id: string): RateLimit => ({ key: `token:${id}`, quota: 60, windowSeconds })

/**
 * Wrong secrets a minute that one client may be shown from one address. Counted by address as well, so that nobody
 * elsewhere can lock the client out. What is said to be the client's id is anybody's text, so its hash stands for it.
 */
export const clientFailureLimit = (clientId: string, ip: string | undefined): RateLimit => ({
  key: `token-failures:${hash('sha256', clientId, 'hex').slice(0, 32)}:${networkPrefix(ip ?? 'unknown')}`,
  quota: 20,
  windowSeconds,
})

/** How the limits of a token request stand, under the names they are shown by. */
export type TokenLimits = Readonly<Partial<Record<'client' | 'failures', { limit: RateLimit; counted: CounterStatus }>>>

/** The header fields that say so (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(shown: TokenLimits): Record<'ratelimit' | 'ratelimit-policy', string> {
  const named = Object.entries(shown)
  return {
    'ratelimit-policy': named.map(([name, { limit }]) => `"${name}";q=${limit.quota};w=${windowSeconds}`).join(', '),
    ratelimit: named
      .map(([name, { counted }]) => `"${name}";r=${counted.remaining};t=${counted.resetSeconds}`)
      .join(', '),
  }
}

/** @throws Problem 429 with `Retry-After` where one of the limits is used up */
export function throwIfTokenLimitExceeded(shown: TokenLimits): void {
  const counted = Object.values(shown).map((one) => one.counted)
  throwIfExceeded(counted, 'Too many token requests', rateLimitHeaders(shown))
}
