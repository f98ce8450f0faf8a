import { retryAfterMs } from './retry-after.ts'

/** How an exchange with a receiver ended, as far as what follows depends on it. */
export interface ExchangeEnd {
  /** Of the answer, where its head arrived. */
  statusCode: number | null
  /** Where the exchange failed: a kind of `OutboundError`. */
  errorKind: string | null
  /** The field `Retry-After` of the answer. */
  retryAfter: string | undefined
}

/** What an attempt means for its delivery and for its endpoint. */
export type Verdict =
  | { outcome: 'delivered' }
  /** `overloaded`: a sign that fewer at once would be better. */
  | { outcome: 'failed'; follow: 'retry'; overloaded: boolean }
  /** The receiver itself said when to come back. */
  | { outcome: 'failed'; follow: 'wait'; waitMs: number; overloaded: true }
  /** The receiver wants nothing more, ever (410). */
  | { outcome: 'failed'; follow: 'disable' }

/** Judges an attempt by the table of the delivery design: 2xx is delivered, 410 is the end, anything else is retried. */
export function judge({ statusCode, errorKind, retryAfter }: ExchangeEnd, nowMs: number): Verdict {
  if (isSuccess(statusCode, errorKind)) return { outcome: 'delivered' }
  if (statusCode === 410) return { outcome: 'failed', follow: 'disable' }
  if (statusCode === 429 || statusCode === 503) {
    const waitMs = retryAfterMs(retryAfter, nowMs)
    if (waitMs !== undefined) return { outcome: 'failed', follow: 'wait', waitMs, overloaded: true }
  }
  return { outcome: 'failed', follow: 'retry', overloaded: statusCode === 429 || errorKind === 'timeout' }
}

/** The head said it was taken. That its body is compressed, and so was not read, changes nothing about that. */
const isSuccess = (statusCode: number | null, errorKind: string | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300 && (errorKind === null || errorKind === 'encoding')
