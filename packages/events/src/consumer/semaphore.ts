/** How much may be under way at once. */
export interface Semaphore {
  readonly size: number
  readonly isFull: boolean
  /** Takes a slot until the work has ended, well or not. */
  hold(work: Promise<void>): void
  /** Resolves when a slot is free. */
  untilFree(): Promise<void>
  /** Resolves when nothing is under way. */
  untilIdle(): Promise<void>
}

export function createSemaphore(size: number): Semaphore {
  const held = new Set<Promise<void>>()

  return {
    size,
    get isFull() {
      return held.size >= size
    },
    hold(work) {
      const ended: Promise<void> = work.then(
        () => void held.delete(ended),
        () => void held.delete(ended),
      )
      held.add(ended)
    },
    async untilFree() {
      if (held.size >= size) await Promise.race(held)
    },
    async untilIdle() {
      while (held.size > 0) await Promise.all(held)
    },
  }
}
