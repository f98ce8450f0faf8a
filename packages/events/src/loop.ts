import type { Log } from '@wp/database'
import { type Backoff, backoffMs, jitteredMs } from './backoff.ts'
import type { Worker } from './worker.ts'

export interface LoopOptions {
  name: string
  /** Does what there is to do. `more`: there may be more, come again at once. */
  pass: (signal: AbortSignal) => Promise<'more' | 'idle'>
  /** The longest time without a pass, jittered. Milliseconds. */
  pollMs: number
  /** Pauses after failed passes. */
  backoff?: Backoff
  log: Log
}

export interface Loop extends Worker {
  /** There is something to do: a pass begins at once, or after the one that runs. */
  wake(): void
  /** What stood in the way is gone: as `wake`, and without sitting out the pause after a failure. */
  retry(): void
}

/** Runs passes, never two at once: when woken, when there was more, and at the latest after the poll's pause. */
export function createLoop({ name, pass, pollMs, backoff = { firstMs: 100, maxMs: 5_000 }, log }: LoopOptions): Loop {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isWoken = false
  let failures = 0
  let interruptPause = () => {}

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false
      const pauseMs = await runPass()
      if (stopping.signal.aborted || pauseMs === 0 || (isWoken && failures === 0)) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        interruptPause = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async function runPass(): Promise<number> {
    try {
      const result = await pass(stopping.signal)
      failures = 0
      return result === 'more' ? 0 : jitteredMs(pollMs, Math.random())
    } catch (error) {
      failures += 1
      const pauseMs = backoffMs(failures, backoff, Math.random())
      log.warn({ err: error, worker: name, failures, pauseMs: Math.round(pauseMs) }, `${name} failed and tries again`)
      return pauseMs
    }
  }

  const retry = () => {
    isWoken = true
    failures = 0
    interruptPause()
  }
  return {
    name,
    async start() {
      running ??= run()
    },
    async stop() {
      stopping.abort()
      interruptPause()
      await running
    },
    wake() {
      isWoken = true
      if (failures === 0) interruptPause()
    },
    retry,
  }
}
