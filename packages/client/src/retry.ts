/** Result of an attempt: a response with its body, parsed if it is JSON; or an error. */
export type AttemptResult = { response: Response; body: unknown } | { error: unknown }

const retryableStatuses = new Set([429, 502, 503, 504])

/** A longer wait is left to the caller. */
const maxRetryAfterSeconds = 60

/**
 * Returns true if a retry is safe and may succeed. Requests are safe to repeat: reads, deletions and token requests are
 * idempotent, changes have an idempotency key. There is no retry after a timeout or a `Retry-After` above the limit.
 */
export function isRetryable(result: AttemptResult): boolean {
  if ('error' in result) return isConnectionFailure(result.error)
  const retryAfter = readRetryAfterSeconds(result.response)
  return (
    retryableStatuses.has(result.response.status) && (retryAfter === undefined || retryAfter <= maxRetryAfterSeconds)
  )
}

/** Returns the pause in milliseconds: `Retry-After`, or exponential from 200 ms. Jitter adds up to a half. */
export function computeRetryDelayMs(attempt: number, result: AttemptResult, random: number): number {
  const retryAfter = 'response' in result ? readRetryAfterSeconds(result.response) : undefined
  const base = retryAfter === undefined ? 200 * 2 ** attempt : retryAfter * 1000
  return base * (1 + random / 2)
}

/** Returns `Retry-After` in seconds, the form the platform uses; a date (RFC 9110 section 10.2.3) is ignored. */
export function readRetryAfterSeconds({ headers }: Response): number | undefined {
  const retryAfter = headers.get('retry-after')
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/**
 * Returns true for the error of a request without a complete response. Node.js gives its cause, which has a code; an
 * error with another cause is a refused redirect. Browsers give a TypeError without a cause.
 */
function isConnectionFailure(error: unknown): boolean {
  const cause = readProperty(error, 'cause')
  return cause === undefined
    ? readProperty(error, 'name') === 'TypeError'
    : typeof readProperty(cause, 'code') === 'string'
}

const readProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
