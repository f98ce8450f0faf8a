import type { JobFailure } from '@wp/jobs'
import { pause } from '@wp/runtime'

/** A failure that a later attempt may not meet. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly failure: JobFailure
  /** The pause the server asks for. */
  readonly retryAfterMs: number | undefined

  constructor(failure: JobFailure, retryAfterMs?: number) {
    super(failure.message, { cause: failure })
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

/** Bounds of the attempts at one request. */
export interface RetryPolicy {
  maxAttempts: number
  /** Pause after the first attempt; each further one is four times as long. */
  initialBackoffMs: number
  /** Longest pause. If a server asks for more, the request fails and the sync is retried later. */
  maxBackoffMs: number
}

/**
 * Waits until the next attempt.
 * @param attempt number of the attempt that failed, from 1
 * @throws JobFailure `transient` if there is no further attempt, the reason of `signal` once it is aborted
 */
export async function waitBeforeRetry(
  { failure, retryAfterMs }: RetryableError,
  attempt: number,
  { maxAttempts, initialBackoffMs, maxBackoffMs }: RetryPolicy,
  signal: AbortSignal,
): Promise<void> {
  const pauseMs = retryAfterMs ?? Math.min(maxBackoffMs, initialBackoffMs * 4 ** (attempt - 1))
  if (attempt >= maxAttempts || pauseMs > maxBackoffMs) throw failure
  await pause(pauseMs, signal)
  signal.throwIfAborted()
}
