import { maxPresentedCredentials, type PresentedCredential, Problem, problem, type Resolution } from '@wp/contracts'

interface PendingLookup {
  presented: PresentedCredential
  resolve: (resolution: Resolution) => void
  reject: (error: unknown) => void
}

interface ResolveBatcherOptions {
  /** Calls auth. Returns the resolutions in the order of the items. */
  resolveMany: (items: PresentedCredential[]) => Promise<Resolution[]>
  /** Concurrent calls; default 3. Lookups that arrive while they are in flight wait for the next batch. */
  maxConcurrentCalls?: number
}

/**
 * Creates a function that resolves credentials in batches: those of one turn of the event loop, and those that arrive
 * while the allowed calls are in flight. A single credential is not delayed; under load, one call per credential would
 * cost both sides more than the lookups themselves.
 */
export function createResolveBatcher({ resolveMany, maxConcurrentCalls = 3 }: ResolveBatcherOptions) {
  let pending: PendingLookup[] = []
  let inFlight = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || inFlight >= maxConcurrentCalls) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      sendBatches()
    })
  }

  function sendBatches(): void {
    while (pending.length > 0 && inFlight < maxConcurrentCalls) {
      const batch = pending.slice(0, maxPresentedCredentials)
      pending = pending.slice(maxPresentedCredentials)
      inFlight += 1
      void sendBatch(batch).then(() => {
        inFlight -= 1
        sendBatches()
      })
    }
  }

  /** Never rejects: errors go to the pending lookups. */
  async function sendBatch(batch: readonly PendingLookup[]): Promise<void> {
    try {
      const resolutions = await resolveMany(batch.map(({ presented }) => presented))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const resolution = resolutions[index]
        if (resolution === undefined) reject(problem('bad_gateway', { detail: 'Auth did not resolve a credential' }))
        else resolve(resolution)
      }
    } catch (error) {
      if (batch.length === 1 || !isItemError(error)) for (const { reject } of batch) reject(error)
      else for (const half of halves(batch)) await sendBatch(half)
    }
  }

  return (presented: PresentedCredential): Promise<Resolution> =>
    new Promise((resolve, reject) => {
      pending.push({ presented, resolve, reject })
      schedule()
    })
}

/** A 4xx concerns one of the items, so halving the batch isolates it. If auth is unavailable, every item would fail. */
const isItemError = (error: unknown): boolean => error instanceof Problem && error.status < 500

function halves<T>(batch: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
