import { backoffMs, type Log, pause } from '@wp/runtime'

/** A pause in taking things up, because what is needed for them is away. */
export interface CircuitPause {
  readonly isPaused: boolean
  /** Begins to rest, or goes on resting. @returns for how long at least, in milliseconds */
  open(error: unknown): number
  /** Resolves when the rest is over: after its pause, and once the ping answers; or when `stopping` is aborted. */
  untilClosed(stopping: AbortSignal): Promise<void>
  /** Something went well: the next rest is a short one again. */
  reset(): void
}

const backoff = { firstMs: 200, maxMs: 10_000 }

export function createCircuitPause(name: string, ping: () => Promise<void>, log: Log): CircuitPause {
  let resting = false
  let failures = 0
  let pauseMs = 0

  function extend(error: unknown): void {
    failures += 1
    pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
    log.warn({ err: error, consumer: name, pauseMs }, 'what a consumer needs is away; it rests')
  }

  return {
    get isPaused() {
      return resting
    },
    open(error) {
      if (!resting) extend(error)
      resting = true
      return pauseMs
    },
    async untilClosed(stopping) {
      if (!resting) return
      for (;;) {
        await pause(pauseMs, stopping)
        if (stopping.aborted) return
        const failure = await pingFailure(ping, stopping)
        if (failure === undefined) break
        extend(failure)
      }
      resting = false
    },
    reset() {
      failures = 0
    },
  }
}

/** Why the ping failed; undefined when it answered, or when the signal came first. */
function pingFailure(ping: () => Promise<void>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const end = () => resolve(undefined)
    signal.addEventListener('abort', end)
    ping()
      .then(end, resolve)
      .finally(() => signal.removeEventListener('abort', end))
  })
}
