/** Does one thing after another while its user goes on; one may be under way, none waits. */
export interface Prefetch {
  /** Begins a work as soon as the one before is done. @throws what that one threw */
  start(work: () => Promise<void>): Promise<void>
  /** Waits for what is under way. @throws what it throws */
  done(): Promise<void>
  /** Waits for what is under way, however it ends. */
  settled(): Promise<void>
}

export function createPrefetch(): Prefetch {
  let current: Promise<void> = Promise.resolve()
  return {
    async start(work) {
      await current
      current = work()
      // Heard when it is waited for; until then a failure waits.
      current.catch(() => undefined)
    },
    done: () => current,
    settled: () => current.catch(() => undefined),
  }
}
