import { problem } from '@wp/contracts'
import { FairSemaphore, SemaphoreTimeout } from '@wp/runtime'

/** Requests of one session in progress at once, streams of events included. */
export const maxRequestsPerSession = 32
/** Requests of all sessions in progress at once, in one replica. */
const maxRequests = 1_024

/** Limits the proxied requests in progress, so that one user cannot occupy every connection. */
export interface InFlightLimit {
  /** @returns a function that ends the request @throws Problem `rate_limited` */
  acquire(key: string): Promise<() => void>
}

export function createInFlightLimit(size = maxRequests, maxPerKey = maxRequestsPerSession): InFlightLimit {
  // who waits would occupy a connection of the edge
  const semaphore = new FairSemaphore({ size, maxPerKey, maxWaitMs: 0 })
  return {
    acquire: (key) =>
      semaphore.acquire(key).catch((error: unknown) => {
        if (!(error instanceof SemaphoreTimeout)) throw error
        throw problem('rate_limited', {
          detail: `At most ${maxPerKey} requests of a session may be in progress; wait for some of them`,
          headers: { 'retry-after': '1' },
        })
      }),
  }
}
