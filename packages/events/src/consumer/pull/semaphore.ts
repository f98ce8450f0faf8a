/** Limits the number of tasks in progress. */
export interface Semaphore {
  readonly size: number
  readonly isFull: boolean
  /** Occupies a slot until the task has succeeded or failed. */
  hold(task: Promise<void>): void
  /** Resolves when a slot is free. */
  untilFree(): Promise<void>
  /** Resolves when no task is in progress. */
  untilIdle(): Promise<void>
}

export function createSemaphore(size: number): Semaphore {
  const tasks = new Set<Promise<void>>()

  return {
    size,
    get isFull() {
      return tasks.size >= size
    },
    hold(task) {
      const ended: Promise<void> = task.then(
        () => void tasks.delete(ended),
        () => void tasks.delete(ended),
      )
      tasks.add(ended)
    },
    async untilFree() {
      if (tasks.size >= size) await Promise.race(tasks)
    },
    async untilIdle() {
      while (tasks.size > 0) await Promise.all(tasks)
    },
  }
}
