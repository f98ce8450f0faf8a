/** What one attempt came to: an answer, or no answer. */
export type AttemptOutcome = { response: Response; answer: unknown } | { error: unknown }

const passing = new Set([429, 502, 503, 504])

/**
 * Whether another attempt may help and cannot do harm. Reads and deletions can be repeated, changes carry an idempotency
 * key; a token request is no change. What the caller aborted stays aborted.
 */
export function isRetryable(outcome: AttemptOutcome): boolean {
  if ('error' in outcome) return !(outcome.error instanceof DOMException)
  return passing.has(outcome.response.status)
}

/** Milliseconds to wait: what `Retry-After` says, else exponential from 200 ms; with jitter that only adds, at most a half. */
export function retryDelayMs(attempt: number, outcome: AttemptOutcome, random: number): number {
  const said = 'response' in outcome ? Number(outcome.response.headers.get('retry-after') ?? Number.NaN) : Number.NaN
  const base = Number.isFinite(said) ? said * 1000 : 200 * 2 ** attempt
  return base * (1 + random / 2)
}
