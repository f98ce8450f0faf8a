import { parseRetryAfterMs } from '@wp/outbound'

/** Response of a receiver, as far as the result of an attempt depends on it. */
export interface ReceiverResponse {
  /** Null if no response head was received. */
  statusCode: number | null
  /** Kind of `OutboundError`, or `internal`; null if the whole response was read. */
  errorKind: string | null
  /** Value of the `Retry-After` header. */
  retryAfter: string | undefined
}

/** Result of an attempt, for its delivery and for its endpoint. */
export type AttemptResult =
  | { outcome: 'delivered' }
  /** `isOverloaded`: the endpoint should get fewer attempts at once. */
  | { outcome: 'failed'; action: 'retry'; isOverloaded: boolean }
  /** The receiver named the earliest time of the next attempt. */
  | { outcome: 'failed'; action: 'retry_after'; retryAfterMs: number; isOverloaded: true }
  /** The receiver wants no further deliveries (410). */
  | { outcome: 'failed'; action: 'disable' }

/** Classifies an attempt: 2xx is delivered, 410 disables the subscription, everything else is retried. */
export function classifyAttempt({ statusCode, errorKind, retryAfter }: ReceiverResponse, nowMs: number): AttemptResult {
  if (isSuccess(statusCode, errorKind)) return { outcome: 'delivered' }
  if (statusCode === 410) return { outcome: 'failed', action: 'disable' }
  if (statusCode === 429 || statusCode === 503) {
    const retryAfterMs = parseRetryAfterMs(retryAfter, nowMs)
    if (retryAfterMs !== undefined)
      return { outcome: 'failed', action: 'retry_after', retryAfterMs, isOverloaded: true }
  }
  return { outcome: 'failed', action: 'retry', isOverloaded: statusCode === 429 || errorKind === 'timeout' }
}

/** The status line decides. A compressed body, which is not read (`encoding`), does not turn a 2xx into a failure. */
const isSuccess = (statusCode: number | null, errorKind: string | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300 && (errorKind === null || errorKind === 'encoding')
