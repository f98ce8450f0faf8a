/** Thrown by `acquire` when no slot became free in time. */
export class SemaphoreTimeout extends Error {
  override readonly name = 'SemaphoreTimeout'
}

export interface FairSemaphoreOptions {
  /** Number of slots. */
  size: number
  /** Maximum number of slots one key holds at a time; default `size`. Below `size`, other keys always find a slot. */
  maxPerKey?: number
  /** Maximum time a caller waits for a slot. */
  maxWaitMs: number
}

interface Waiter {
  grant(release: () => void): void
}

/** Limits the number of tasks in progress, in turns by key: for example by workspace. */
export class FairSemaphore {
  readonly #size: number
  readonly #maxPerKey: number
  readonly #maxWaitMs: number
  readonly #held = new Map<string, number>()
  /** The keys in the order of their turns. */
  readonly #queues = new Map<string, Set<Waiter>>()
  #inUse = 0
  #waiting = 0

  constructor({ size, maxPerKey = size, maxWaitMs }: FairSemaphoreOptions) {
    this.#size = size
    this.#maxPerKey = maxPerKey
    this.#maxWaitMs = maxWaitMs
  }

  /** Number of slots in use. */
  get inUse(): number {
    return this.#inUse
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Resolves when the caller has a slot. Keys take turns: a key that holds fewer than `maxPerKey` slots waits for at
   * most one slot given to each other key. Within a key the order is first come, first served.
   *
   * @param signal stops waiting
   * @returns a function that frees the slot; further calls of it do nothing
   * @throws SemaphoreTimeout after `maxWaitMs`; the reason of `signal` if it is aborted first
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    // A key that waits cannot be servable: a free slot is given to it at once.
    return this.#isServable(key) ? this.#take(key) : await this.#wait(key, signal)
  }

  #isServable(key: string): boolean {
    return this.#inUse < this.#size && (this.#held.get(key) ?? 0) < this.#maxPerKey
  }

  #take(key: string): () => void {
    this.#inUse++
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#inUse--
      const left = (this.#held.get(key) ?? 0) - 1
      if (left > 0) this.#held.set(key, left)
      else this.#held.delete(key)
      this.#serveWaiters()
    }
  }

  #serveWaiters(): void {
    // A key with more waiters moves to the end, where this loop reaches it again.
    for (const [key, queue] of this.#queues) {
      const [next] = queue
      if (next === undefined || !this.#isServable(key)) continue
      this.#remove(key, queue, next)
      if (queue.size > 0) {
        this.#queues.delete(key)
        this.#queues.set(key, queue)
      }
      next.grant(this.#take(key))
    }
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<() => void> {
    const queue = this.#queues.get(key) ?? new Set()
    this.#queues.set(key, queue)
    this.#waiting++
    return new Promise((resolve, reject) => {
      const stop = (error: unknown) => {
        this.#remove(key, queue, waiter)
        cleanUp()
        reject(error)
      }
      const onAbort = () => stop(signal?.reason)
      const onTimeout = () => stop(new SemaphoreTimeout(`no free slot within ${this.#maxWaitMs} ms`))
      const timer = setTimeout(onTimeout, this.#maxWaitMs).unref()
      const cleanUp = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        grant(release) {
          cleanUp()
          resolve(release)
        },
      }
      signal?.addEventListener('abort', onAbort)
      queue.add(waiter)
    })
  }

  #remove(key: string, queue: Set<Waiter>, waiter: Waiter): void {
    if (queue.delete(waiter)) this.#waiting--
    if (queue.size === 0) this.#queues.delete(key)
  }
}
