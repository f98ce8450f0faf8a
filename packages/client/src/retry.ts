/** What one attempt came to: an answer, its body parsed where it is JSON; or none. */
export type AttemptResult = { response: Response; body: unknown } | { error: unknown }

const retryableStatuses = new Set([429, 502, 503, 504])

/** A longer wait than this, in seconds, is the caller's to decide on. */
const maxRetryAfterSeconds = 60

/**
 * Whether another attempt may help and cannot do harm. Reads and deletions can be repeated, changes carry an idempotency
 * key; a token request is no change. Not after a time limit, and not where the platform asks for a long wait.
 */
export function isRetryable(result: AttemptResult): boolean {
  if ('error' in result) return isConnectionFailure(result.error)
  const retryAfter = readRetryAfterSeconds(result.response)
  return (
    retryableStatuses.has(result.response.status) && (retryAfter === undefined || retryAfter <= maxRetryAfterSeconds)
  )
}

/** Milliseconds to wait: what `Retry-After` says, else exponential from 200 ms; with jitter that only adds, at most a half. */
export function computeRetryDelayMs(attempt: number, result: AttemptResult, random: number): number {
  const retryAfter = 'response' in result ? readRetryAfterSeconds(result.response) : undefined
  const base = retryAfter === undefined ? 200 * 2 ** attempt : retryAfter * 1000
  return base * (1 + random / 2)
}

/** `Retry-After` in whole seconds, the form the platform uses; a date (RFC 9110 section 10.2.3) is not read. */
export function readRetryAfterSeconds({ headers }: Response): number | undefined {
  const retryAfter = headers.get('retry-after')
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** `fetch` wraps what the network said, which has a code; what is wrong with the request itself has none. */
const isConnectionFailure = (error: unknown): boolean =>
  typeof readProperty(readProperty(error, 'cause'), 'code') === 'string'

const readProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
