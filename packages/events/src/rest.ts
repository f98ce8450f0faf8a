import type { Log } from '@wp/database'
import { backoffMs } from './backoff.ts'
import { pause } from './pause.ts'

/** A pause in taking things up, because what is needed for them is away. */
export interface Rest {
  readonly resting: boolean
  /** Begins to rest, or goes on resting. @returns for how long at least, in milliseconds */
  begin(error: unknown): number
  /** Resolves when the rest is over: after its pause, and once the ping answers; or when `stopping` is aborted. */
  over(stopping: AbortSignal): Promise<void>
  /** Something went well: the next rest is a short one again. */
  refreshed(): void
}

const backoff = { firstMs: 200, maxMs: 10_000 }

export function createRest(name: string, ping: () => Promise<void>, log: Log): Rest {
  let resting = false
  let outages = 0
  let pauseMs = 0

  function lengthen(error: unknown): void {
    outages += 1
    pauseMs = Math.round(backoffMs(outages, backoff, Math.random()))
    log.warn({ err: error, consumer: name, pauseMs }, 'what a consumer needs is away; it rests')
  }

  return {
    get resting() {
      return resting
    },
    begin(error) {
      if (!resting) lengthen(error)
      resting = true
      return pauseMs
    },
    async over(stopping) {
      if (!resting) return
      for (;;) {
        await pause(pauseMs, stopping)
        if (stopping.aborted) return
        const failure = await failureOf(ping, stopping)
        if (failure === undefined) break
        lengthen(failure)
      }
      resting = false
    },
    refreshed() {
      outages = 0
    },
  }
}

/** Why the ping failed; undefined when it answered, or when the signal came first. */
function failureOf(ping: () => Promise<void>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const end = () => resolve(undefined)
    signal.addEventListener('abort', end)
    ping()
      .then(end, resolve)
      .finally(() => signal.removeEventListener('abort', end))
  })
}
