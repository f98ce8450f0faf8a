/** What one attempt came to: an answer, its body parsed where it is JSON; or none. */
export type AttemptOutcome = { response: Response; body: unknown } | { error: unknown }

const passing = new Set([429, 502, 503, 504])

/** A longer wait than this, in seconds, is the caller's to decide on. */
const longestWaitSeconds = 60

/**
 * Whether another attempt may help and cannot do harm. Reads and deletions can be repeated, changes carry an idempotency
 * key; a token request is no change. Not after a time limit, and not where the platform asks for a long wait.
 */
export function isRetryable(outcome: AttemptOutcome): boolean {
  if ('error' in outcome) return isConnectionFailure(outcome.error)
  const said = retryAfterSeconds(outcome.response)
  return passing.has(outcome.response.status) && (said === undefined || said <= longestWaitSeconds)
}

/** Milliseconds to wait: what `Retry-After` says, else exponential from 200 ms; with jitter that only adds, at most a half. */
export function retryDelayMs(attempt: number, outcome: AttemptOutcome, random: number): number {
  const said = 'response' in outcome ? retryAfterSeconds(outcome.response) : undefined
  const base = said === undefined ? 200 * 2 ** attempt : said * 1000
  return base * (1 + random / 2)
}

/** `Retry-After` in whole seconds, the form the platform uses; a date (RFC 9110 section 10.2.3) is not read. */
export function retryAfterSeconds({ headers }: Response): number | undefined {
  const said = headers.get('retry-after')
  return said !== null && /^\d+$/.test(said) ? Number(said) : undefined
}

/** `fetch` wraps what the network said, which has a code; what is wrong with the request itself has none. */
const isConnectionFailure = (error: unknown): boolean => typeof member(member(error, 'cause'), 'code') === 'string'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
