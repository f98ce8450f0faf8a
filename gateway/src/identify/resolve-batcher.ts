import {
  maxPresentedCredentials,
  Problem,
  problem,
  type Resolution,
  type PresentedCredential as ToResolve,
} from '@wp/contracts'

interface PendingLookup {
  presented: ToResolve
  resolve: (resolution: Resolution) => void
  reject: (error: unknown) => void
}

interface Options {
  /** Asks auth, for answers in the order of the items. */
  resolveMany: (items: ToResolve[]) => Promise<Resolution[]>
  /** Items of one call; default what the contract allows. */
  maxBatch?: number
  /** Calls under way at once; default 3. What comes meanwhile is gathered. */
  maxConcurrentCalls?: number
}

/**
 * Asks auth for many credentials in one call: those of one turn of the event loop, and those that come while calls are
 * under way. Alone, a credential waits for nobody; in a crowd, a call each would cost both sides more than the answers.
 */
export function createResolveBatcher({
  resolveMany,
  maxBatch: most = maxPresentedCredentials,
  maxConcurrentCalls: callsAtOnce = 3,
}: Options) {
  let pending: PendingLookup[] = []
  let inFlight = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || inFlight >= callsAtOnce) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      sendBatches()
    })
  }

  function sendBatches(): void {
    while (pending.length > 0 && inFlight < callsAtOnce) {
      const batch = pending.slice(0, most)
      pending = pending.slice(most)
      inFlight += 1
      void sendBatch(batch).then(() => {
        inFlight -= 1
        sendBatches()
      })
    }
  }

  /** Never rejects: what goes wrong is told to those who wait. */
  async function sendBatch(batch: readonly PendingLookup[]): Promise<void> {
    try {
      const resolutions = await resolveMany(batch.map(({ presented }) => presented))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const resolution = resolutions[index]
        if (resolution === undefined) reject(problem('bad_gateway', { detail: 'Auth left a credential out' }))
        else resolve(resolution)
      }
    } catch (error) {
      if (batch.length === 1 || !isItemError(error)) for (const { reject } of batch) reject(error)
      else for (const half of halves(batch)) await sendBatch(half)
    }
  }

  return (presented: ToResolve): Promise<Resolution> =>
    new Promise((resolve, reject) => {
      pending.push({ presented, resolve, reject })
      schedule()
    })
}

/** One of the items is at fault, and the others are not to suffer for it; auth being away would befall each of them. */
const isItemError = (error: unknown): boolean => error instanceof Problem && error.status < 500

function halves<T>(batch: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
