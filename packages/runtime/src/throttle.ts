/** Milliseconds that pass, and a call after some of them. */
export interface ThrottleClock {
  now(): number
  callAfter(ms: number, call: () => void): void
}

const systemClock: ThrottleClock = {
  now: () => performance.now(),
  callAfter: (ms, call) => void setTimeout(call, ms).unref(),
}

/**
 * Returns a function that calls `call` at most once per interval: at once if the last call was longer ago, otherwise
 * once at the end of the interval, however often it was requested within it.
 *
 * @param intervalMs milliseconds between two calls; 0 calls each time
 */
export function throttle(call: () => void, intervalMs: number, clock: ThrottleClock = systemClock): () => void {
  let nextAt = Number.NEGATIVE_INFINITY
  let isScheduled = false

  function run(): void {
    isScheduled = false
    nextAt = clock.now() + intervalMs
    call()
  }

  return () => {
    if (isScheduled) return
    const waitMs = nextAt - clock.now()
    if (waitMs <= 0) return run()
    isScheduled = true
    clock.callAfter(waitMs, run)
  }
}
