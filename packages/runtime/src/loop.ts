import { type Backoff, backoffMs, jitteredMs } from './backoff.ts'
import type { Log } from './telemetry.ts'
import { throttle } from './throttle.ts'

/**
 * The result of a pass. `more`: there may be more, so the next pass follows without a pause. A number: the next pass
 * follows in so many milliseconds, without jitter.
 */
export type PassResult = 'more' | 'idle' | number

export interface LoopOptions {
  name: string
  /** Does the work that is due. */
  pass: (signal: AbortSignal) => Promise<PassResult>
  /** Pause after an idle pass in milliseconds, jittered. */
  pollMs: number
  /** Shortest time between two passes that `wake` requests; default 0. Those within it request one at its end. */
  wakeIntervalMs?: number
  /** Pauses after failed passes; default 100 ms doubling to 5 s. */
  backoff?: Backoff | undefined
  /** Subscribes `wake` to what requests passes, while the loop runs. @returns functions that end the subscriptions */
  subscribe?: ((wake: () => void) => readonly (() => void)[]) | undefined
  /** Called after the last pass, for example to await the work that passes began. */
  onStopped?: () => Promise<unknown>
  log: Log
}

export interface Loop extends Worker {
  /**
   * Requests a pass: at once, after the one in progress, or at the end of `wakeIntervalMs`. Does not shorten the pause
   * after a failure.
   */
  wake(): void
  /** As `wake`, but also ends the pause after a failure, for example because a dependency is available again. */
  retry(): void
}

/**
 * Creates a worker that runs passes, never two at once: when woken, when there was more, and when the poll is due.
 * Longer than most functions: its steps share the state of the loop.
 */
export function createLoop(options: LoopOptions): Loop {
  const { name, pass, pollMs, wakeIntervalMs = 0, backoff = { firstMs: 100, maxMs: 5_000 }, log } = options
  const { subscribe, onStopped } = options
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let unsubscribes: readonly (() => void)[] = []
  let endPause = () => {}
  let isWoken = false
  let failures = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false
      const pauseMs = await runPass()
      if (stopping.signal.aborted || pauseMs === 0 || (isWoken && failures === 0)) continue
      await pauseUntilEnded(pauseMs)
    }
  }

  /** Pauses for `ms` milliseconds, or until `endPause`. Unlike an abort, the end creates no error with a stack. */
  function pauseUntilEnded(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    endPause = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  async function runPass(): Promise<number> {
    const startedAt = performance.now()
    try {
      const result = await pass(stopping.signal)
      failures = 0
      if (result === 'more') return 0
      return result === 'idle' ? jitteredMs(pollMs, Math.random()) : Math.max(1, Math.ceil(result))
    } catch (error) {
      // A pass that ran for longer than the longest pause was healthy before.
      failures = performance.now() - startedAt > backoff.maxMs ? 1 : failures + 1
      const pauseMs = Math.round(backoffMs(failures, backoff, Math.random()))
      log.warn(
        { event: 'worker.pass_failed', err: error, worker: name, failures, pauseMs },
        'worker pass failed; retrying',
      )
      return pauseMs
    }
  }

  const wake = throttle(() => {
    isWoken = true
    if (failures === 0) endPause()
  }, wakeIntervalMs)

  return {
    name,
    async start() {
      if (running !== undefined) return
      unsubscribes = subscribe?.(wake) ?? []
      running = run()
    },
    async stop() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      stopping.abort()
      endPause()
      await running
      await onStopped?.()
    },
    wake,
    retry() {
      isWoken = true
      failures = 0
      endPause()
    },
  }
}

/** A background activity of a process: a relay, a consumer, a job runner. */
export interface Worker {
  readonly name: string
  /** Resolves without waiting for dependencies; the worker retries until they are available. */
  start(): Promise<void>
  /** Stops taking new work and waits for the work in progress. */
  stop(): Promise<void>
}
