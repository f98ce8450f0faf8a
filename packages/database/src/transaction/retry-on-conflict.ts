import { problem } from '@wp/contracts'
import { backoffMs, pause } from '@wp/runtime'

/**
 * Thrown when a concurrent change invalidated what a change was based on. Not a Problem, because a Problem would be
 * stored as the response of the idempotency key.
 */
export class ConcurrentChangeError extends Error {
  override readonly name = 'ConcurrentChangeError'
}

const maxAttempts = 8
/** Time after which no attempt starts: half of the time limit of a request. */
const maxMs = 15_000
const backoff = { firstMs: 50, maxMs: 800 }

/**
 * Retries a change after a ConcurrentChangeError: up to 8 attempts, with pauses of up to 3.2 s in all.
 * @param subject of the change, as in `data source`, for the detail of the problem
 * @param clock pauses, and tells the time in milliseconds
 * @throws Problem `conflict` after the last
 */
export async function retryOnConflict<T>(
  subject: string,
  change: () => Promise<T>,
  clock: { pause: (ms: number) => Promise<void>; now: () => number } = { pause, now: () => performance.now() },
): Promise<T> {
  const startedAt = clock.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof ConcurrentChangeError)) throw error
      if (attempt === maxAttempts || clock.now() - startedAt > maxMs)
        throw problem('conflict', {
          detail: `The ${subject} is being changed at the same time; try again`,
          cause: error,
        })
      await clock.pause(backoffMs(attempt, backoff, Math.random()))
    }
  }
}
