import type { CounterStatus, RateLimit } from './counters.ts'

/** Limits with their status, by the names used in the response headers. */
export type NamedLimits = Readonly<Record<string, { limit: RateLimit; status: CounterStatus }>>

/** The rate-limit header fields of a response. */
export type RateLimitHeaders = Record<'ratelimit' | 'ratelimit-policy', string>

/** Returns the rate-limit header fields (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(limits: NamedLimits): RateLimitHeaders {
  const named = Object.entries(limits)
  const policies = named.map(([name, { limit }]) => `"${name}";q=${limit.quota};w=${limit.windowSeconds}`)
  const statuses = named.map(([name, { status }]) => `"${name}";r=${status.remaining};t=${status.resetSeconds}`)
  return { 'ratelimit-policy': policies.join(', '), ratelimit: statuses.join(', ') }
}
