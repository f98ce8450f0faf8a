import { OutboundError } from '../error.ts'
import { CloseSignal } from './close-signal.ts'

/** A time limit that is also cut short by parent signals. `signal.reason` is always an OutboundError. */
export interface Deadline {
  signal: AbortSignal
  /** Milliseconds until it fires. */
  remainingMs(): number
  /** Stops the clock and lets go of the parents; to be called when the work is over, however it ended. */
  release(): void
}

/** Starts a limit of `timeoutMs` milliseconds within `parents`. `what` completes "… took longer than n ms". */
export function startDeadline(
  timeoutMs: number,
  operation: string,
  ...parents: (AbortSignal | CloseSignal | undefined)[]
): Deadline {
  const controller = new AbortController()
  const endsAt = performance.now() + timeoutMs
  const timer = setTimeout(() => {
    controller.abort(new OutboundError('timeout', `${operation} took longer than ${Math.round(timeoutMs)} ms`))
  }, timeoutMs)
  const abort = (reason: unknown) => controller.abort(reason instanceof OutboundError ? reason : abortedError(reason))
  function abortWithParent(this: AbortSignal) {
    abort(this.reason)
  }
  for (const parent of parents) {
    if (parent instanceof CloseSignal) parent.add(abort)
    else parent?.addEventListener('abort', abortWithParent, { once: true })
    if (parent instanceof AbortSignal && parent.aborted) abortWithParent.call(parent)
  }
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    release: () => {
      clearTimeout(timer)
      for (const parent of parents) {
        if (parent instanceof CloseSignal) parent.delete(abort)
        else parent?.removeEventListener('abort', abortWithParent)
      }
    },
  }
}

/** The promise's outcome, or the signal's reason if that comes first; what the promise does later is let go. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export function abortedError(cause?: unknown): OutboundError {
  return new OutboundError('aborted', 'the call was given up before it ended', { cause })
}
