/** Runs one background task at a time, so that the next batch is read while the previous one is stored. */
export interface Prefetch {
  /** Waits for the previous task, then starts this one. @throws the error of the previous task */
  start(task: () => Promise<void>): Promise<void>
  /** Waits for the current task. @throws its error */
  done(): Promise<void>
  /** Waits until the current task has ended, successfully or not. */
  settled(): Promise<void>
}

export function createPrefetch(): Prefetch {
  let current: Promise<void> = Promise.resolve()
  return {
    async start(task) {
      await current
      current = task()
      // Marks a rejection as handled; `start` or `done` reports it.
      current.catch(() => undefined)
    },
    done: () => current,
    settled: () => current.catch(() => undefined),
  }
}
