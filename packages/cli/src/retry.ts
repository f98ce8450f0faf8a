import { setTimeout as delay } from 'node:timers/promises'
import { isApiError, isConnectionError, reasonOf } from './errors.ts'

const [firstPauseMs, maxPauseMs] = [250, 5_000]

export interface RetryOptions {
  /** Ends the attempts with its reason. */
  signal: AbortSignal
  /** Called after the first failure, with the reason. */
  onInterrupted(reason: string): void
  /** Called when the work succeeds after a failure. */
  onResumed(): void
  /** Default: no limit. */
  maxAttempts?: number
}

/** Repeats work until it succeeds, with growing pauses. @throws an error that a repetition does not mend */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, maxAttempts = Number.POSITIVE_INFINITY } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await work(attempt)
      if (attempt > 1) options.onResumed()
      return result
    } catch (error) {
      signal.throwIfAborted()
      const reason = reasonToRetry(error)
      if (reason === undefined || attempt >= maxAttempts) throw error
      if (attempt === 1) options.onInterrupted(reason)
    }
    await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1)), signal)
  }
}

/** Returns why a request may succeed later; undefined if it cannot. */
function reasonToRetry(error: unknown): string | undefined {
  if (isConnectionError(error)) return reasonOf(error)
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response in time'
  if (!isApiError(error)) return undefined
  const isTemporary = error.status === 408 || error.status === 429 || error.status >= 500
  return isTemporary || error.code === 'idempotency_in_flight' ? error.message : undefined
}

/** Waits. @throws the reason of the signal as soon as it is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
