import { problem } from '@wp/contracts'
import { pause } from '@wp/runtime'

/**
 * Thrown when a concurrent change invalidated what a change was based on. Not a Problem, because a Problem would be
 * stored as the response of the idempotency key.
 */
export class ConcurrentChangeError extends Error {
  override readonly name = 'ConcurrentChangeError'
}

const maxAttempts = 5

/**
 * Retries a change after a ConcurrentChangeError, up to 5 attempts.
 * @param subject of the change, as in `data source`, for the detail of the problem
 * @throws Problem `conflict` after the last
 */
export async function retryOnConflict<T>(subject: string, change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof ConcurrentChangeError)) throw error
      if (attempt === maxAttempts)
        throw problem('conflict', {
          detail: `The ${subject} is being changed at the same time; try again`,
          cause: error,
        })
      await pause(Math.random() * 50 * attempt)
    }
  }
}
