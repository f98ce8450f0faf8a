import { Closing } from './closing.ts'
import { OutboundError } from './error.ts'

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
  what: string,
  ...parents: (AbortSignal | Closing | undefined)[]
): Deadline {
  const controller = new AbortController()
  const endsAt = performance.now() + timeoutMs
  const timer = setTimeout(() => {
    controller.abort(new OutboundError('timeout', `${what} took longer than ${Math.round(timeoutMs)} ms`))
  }, timeoutMs)
  const end = (reason: unknown) => controller.abort(reason instanceof OutboundError ? reason : aborted(reason))
  function follow(this: AbortSignal) {
    end(this.reason)
  }
  for (const parent of parents) {
    if (parent instanceof Closing) parent.add(end)
    else parent?.addEventListener('abort', follow, { once: true })
    if (parent instanceof AbortSignal && parent.aborted) follow.call(parent)
  }
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    release: () => {
      clearTimeout(timer)
      for (const parent of parents) {
        if (parent instanceof Closing) parent.delete(end)
        else parent?.removeEventListener('abort', follow)
      }
    },
  }
}

/** The promise's outcome, or the signal's reason if that comes first; what the promise does later is let go. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: fired, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([promise, fired])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export function aborted(cause?: unknown): OutboundError {
  return new OutboundError('aborted', 'the call was given up before it ended', { cause })
}
