import { OutboundError } from '../error.ts'

/**
 * Signals the closing of a client to every call in progress. Replaces AbortSignal, whose cost of adding and removing a
 * listener grows with their number: with some hundred calls in progress it equals the cost of the calls themselves.
 */
export class CloseSignal {
  readonly #listeners = new Set<Listener>()
  #reason: OutboundError | undefined

  /** Calls the listener when the client is closed; at once if it is closed already. */
  add(listener: Listener): void {
    this.#listeners.add(listener)
    if (this.#reason !== undefined) listener(this.#reason)
  }

  delete(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  abort(reason: OutboundError): void {
    this.#reason = reason
    for (const listener of this.#listeners) listener(reason)
  }
}

/** A time limit that parent signals can end early. `signal.reason` is always an OutboundError. */
export interface Deadline {
  signal: AbortSignal
  /** Returns the milliseconds left. */
  remainingMs(): number
  /** Stops the timer and removes the listeners; call it when the work has ended. */
  release(): void
}

/** Starts a limit of `timeoutMs` milliseconds. `operation` completes the message "… took longer than n ms". */
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

/** Returns the result of the promise, or rejects with the signal's reason if it is aborted first. */
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
  return new OutboundError('aborted', 'the call was aborted', { cause })
}

type Listener = (reason: OutboundError) => void
