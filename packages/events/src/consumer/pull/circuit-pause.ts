import { backoffMs, type Log, pause } from '@wp/runtime'

/** Pauses a consumer while a dependency is unavailable; a circuit breaker that closes once a ping succeeds. */
export interface CircuitPause {
  readonly isPaused: boolean
  /** Pauses, or stays paused. @returns the minimum duration of the pause in milliseconds */
  open(error: unknown): number
  /** Resolves when not paused: after the backoff and a successful ping, or when `stopping` is aborted. */
  untilClosed(stopping: AbortSignal): Promise<void>
  /** Resets the backoff after a success. */
  reset(): void
}

const backoff = { firstMs: 200, maxMs: 10_000 }

export function createCircuitPause(name: string, ping: () => Promise<void>, log: Log): CircuitPause {
  let isPaused = false
  let failures = 0
  let pauseMs = 0

  function increaseBackoff(error: unknown): void {
    failures += 1
    pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
    log.warn(
      { event: 'consumer.paused', err: error, consumer: name, pauseMs },
      'consumer paused: dependency unavailable',
    )
  }

  return {
    get isPaused() {
      return isPaused
    },
    open(error) {
      if (!isPaused) increaseBackoff(error)
      isPaused = true
      return pauseMs
    },
    async untilClosed(stopping) {
      if (!isPaused) return
      for (;;) {
        await pause(pauseMs, stopping)
        if (stopping.aborted) return
        const failure = await findPingFailure(ping, stopping)
        if (failure === undefined) break
        increaseBackoff(failure)
      }
      isPaused = false
    },
    reset() {
      failures = 0
    },
  }
}

/** Returns the error of the ping; undefined if it succeeded or the signal was aborted first. */
function findPingFailure(ping: () => Promise<void>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = () => resolve(undefined)
    signal.addEventListener('abort', finish)
    ping()
      .then(finish, resolve)
      .finally(() => signal.removeEventListener('abort', finish))
  })
}
