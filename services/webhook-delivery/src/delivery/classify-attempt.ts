import { parseRetryAfter } from './retry-after.ts'

/** How an exchange with a receiver ended, as far as what follows depends on it. */
export interface ReceiverResponse {
  /** Of the answer, where its head arrived. */
  statusCode: number | null
  /** Where the exchange failed: a kind of `OutboundError`. */
  errorKind: string | null
  /** The field `Retry-After` of the answer. */
  retryAfter: string | undefined
}

/** What an attempt means for its delivery and for its endpoint. */
export type AttemptResult =
  | { outcome: 'delivered' }
  /** `overloaded`: a sign that fewer at once would be better. */
  | { outcome: 'failed'; action: 'retry'; isOverloaded: boolean }
  /** The receiver itself said when to come back. */
  | { outcome: 'failed'; action: 'wait'; retryAfterMs: number; isOverloaded: true }
  /** The receiver wants nothing more, ever (410). */
  | { outcome: 'failed'; action: 'disable' }

/** Judges an attempt by the table of the delivery design: 2xx is delivered, 410 is the end, anything else is retried. */
export function classifyAttempt({ statusCode, errorKind, retryAfter }: ReceiverResponse, nowMs: number): AttemptResult {
  if (isSuccess(statusCode, errorKind)) return { outcome: 'delivered' }
  if (statusCode === 410) return { outcome: 'failed', action: 'disable' }
  if (statusCode === 429 || statusCode === 503) {
    const retryAfterMs = parseRetryAfter(retryAfter, nowMs)
    if (retryAfterMs !== undefined) return { outcome: 'failed', action: 'wait', retryAfterMs, isOverloaded: true }
  }
  return { outcome: 'failed', action: 'retry', isOverloaded: statusCode === 429 || errorKind === 'timeout' }
}

/** The head said it was taken. That its body is compressed, and so was not read, changes nothing about that. */
const isSuccess = (statusCode: number | null, errorKind: string | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300 && (errorKind === null || errorKind === 'encoding')
