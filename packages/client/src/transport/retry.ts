import { NetworkError, readRetryAfterSeconds } from './errors.ts'

/** Result of an attempt: a response with its body, parsed if it is JSON; or an error. */
export type AttemptResult = { response: Response; body: unknown } | { error: unknown }

/** A longer wait is left to the caller. */
const maxRetryAfterSeconds = 60

/**
 * Returns true if a retry is safe and may succeed: after a failed connection, 408, 409 `idempotency_in_flight`, 429 and
 * 5xx. Requests are safe to repeat: reads, deletions and token requests are idempotent, changes have an idempotency
 * key. There is no retry after a timeout or a `Retry-After` above the limit.
 */
export function isRetryable(result: AttemptResult): boolean {
  if ('error' in result) return result.error instanceof NetworkError
  const { status } = result.response
  const isTemporary = status === 408 || status === 429 || status >= 500 || isInFlight(result)
  return isTemporary && (readRetryAfterSeconds(result.response) ?? 0) <= maxRetryAfterSeconds
}

const isInFlight = ({ response, body }: { response: Response; body: unknown }): boolean =>
  response.status === 409 &&
  typeof body === 'object' &&
  body !== null &&
  Reflect.get(body, 'code') === 'idempotency_in_flight'

/** Returns the pause in milliseconds: `Retry-After`, or exponential from 200 ms. Jitter adds up to a half. */
export function computeRetryDelayMs(attempt: number, result: AttemptResult, random: number): number {
  const retryAfter = 'response' in result ? readRetryAfterSeconds(result.response) : undefined
  const base = retryAfter === undefined ? 200 * 2 ** attempt : retryAfter * 1000
  return base * (1 + random / 2)
}
