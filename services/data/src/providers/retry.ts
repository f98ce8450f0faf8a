import { setTimeout as delay } from 'node:timers/promises'
import type { JobFailure } from '@wp/jobs'
import { OutboundError } from '@wp/outbound'
import { crawlFailure, outboundFailure } from './crawl-failure.ts'
import { redactUrl } from './http/url.ts'

/** Something that may be different when it is tried again. */
export class RetryableError extends Error {
  override readonly name = 'Unavailable'
  readonly failure: JobFailure
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(failure: JobFailure, afterMs?: number) {
    super(failure.message, { cause: failure })
    this.failure = failure
    this.retryAfterMs = afterMs
  }
}

/** How patiently a page is asked for. */
export interface RetryPolicy {
  maxAttempts: number
  /** The wait after the first try; each one after that is four times as long. */
  initialBackoffMs: number
  /** No wait is longer; a server that asks for more is asked again by another attempt at the sync. */
  maxBackoffMs: number
}

/** Waits before the next try. @throws JobFailure `transient` where there is to be none, the signal's reason */
export async function waitBeforeRetry(
  error: RetryableError,
  attempt: number,
  retryPolicy: RetryPolicy,
  signal: AbortSignal,
) {
  const { maxAttempts, initialBackoffMs, maxBackoffMs } = retryPolicy
  const waitMs = error.retryAfterMs ?? Math.min(maxBackoffMs, initialBackoffMs * 4 ** (attempt - 1))
  if (attempt >= maxAttempts || waitMs > maxBackoffMs) throw error.failure
  try {
    await delay(waitMs, undefined, { signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  }
}

/** `Retry-After` (RFC 9110, section 10.2.3) in milliseconds. */
export function parseRetryAfterMs(field: string | string[] | undefined, now: number): number | undefined {
  const [text = ''] = [field ?? []].flat()
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** What a call failed at, as something to throw; an abort of ours is thrown as such. */
export function requestFailure(error: unknown, address: string, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'aborted' && signal.aborted) return signal.reason
  const message = `${redactUrl(address)}: ${error.message}`
  switch (error.kind) {
    case 'dns':
    case 'connect':
    case 'timeout':
    case 'reset':
    case 'aborted':
      return new RetryableError(crawlFailure('transient', message, error))
    case 'protocol':
    case 'encoding':
      return crawlFailure('schema', message, error)
    case 'too_large':
      return crawlFailure('config', message, error)
    default:
      return crawlFailure(outboundFailure(error).error.code === 'transient' ? 'transient' : 'config', message, error)
  }
}
