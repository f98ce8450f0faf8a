import { setTimeout as delay } from 'node:timers/promises'
import { problem } from '@wp/contracts'

/** What a change was made up for is no longer so. No Problem: as a refusal it would be kept for an idempotency key. */
export class ConcurrentChangeError extends Error {
  override readonly name = 'ChangedMeanwhile'
}

const maxAttempts = 5

/** Makes a change up anew where another came between. @throws Problem `conflict` when that goes on */
export async function retryOnConflict<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof ConcurrentChangeError)) throw error
      if (attempt === maxAttempts)
        throw problem('conflict', { detail: 'The data source is being changed at the same time', cause: error })
      await delay(Math.random() * 50 * attempt)
    }
  }
}
