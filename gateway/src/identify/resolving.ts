import { mostPresented, Problem, problem, type Resolution, type Presented as ToResolve } from '@wp/contracts'

interface Waiting {
  presented: ToResolve
  resolve: (resolution: Resolution) => void
  reject: (error: unknown) => void
}

interface Options {
  /** Asks auth, for answers in the order of the items. */
  resolveMany: (items: ToResolve[]) => Promise<Resolution[]>
  /** Items of one call; default what the contract allows. */
  most?: number
  /** Calls under way at once; default 3. What comes meanwhile is gathered. */
  callsAtOnce?: number
}

/**
 * Asks auth for many credentials in one call: those of one turn of the event loop, and those that come while calls are
 * under way. Alone, a credential waits for nobody; in a crowd, a call each would cost both sides more than the answers.
 */
export function createResolving({ resolveMany, most = mostPresented, callsAtOnce = 3 }: Options) {
  let waiting: Waiting[] = []
  let underWay = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || underWay >= callsAtOnce) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      begin()
    })
  }

  function begin(): void {
    while (waiting.length > 0 && underWay < callsAtOnce) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      underWay += 1
      void settle(batch).then(() => {
        underWay -= 1
        begin()
      })
    }
  }

  /** Never rejects: what goes wrong is told to those who wait. */
  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const resolutions = await resolveMany(batch.map(({ presented }) => presented))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const resolution = resolutions[index]
        if (resolution === undefined) reject(problem('bad_gateway', { detail: 'Auth left a credential out' }))
        else resolve(resolution)
      }
    } catch (error) {
      if (batch.length === 1 || !isTheirs(error)) for (const { reject } of batch) reject(error)
      else for (const half of halves(batch)) await settle(half)
    }
  }

  return (presented: ToResolve): Promise<Resolution> =>
    new Promise((resolve, reject) => {
      waiting.push({ presented, resolve, reject })
      schedule()
    })
}

/** One of the items is at fault, and the others are not to suffer for it; auth being away would befall each of them. */
const isTheirs = (error: unknown): boolean => error instanceof Problem && error.status < 500

function halves<T>(batch: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
