/** How much may be under way at once. */
export interface Slots {
  readonly free: number
  /** Takes a slot until the work has ended, well or not. */
  fill(work: Promise<void>): void
  /** Resolves when at least half are free, so that one pull brings several; or when the signal is aborted. */
  roomy(signal: AbortSignal): Promise<void>
  /** Resolves when nothing is under way. */
  empty(): Promise<void>
}

export function createSlots(size: number): Slots {
  const filled = new Set<Promise<void>>()

  return {
    get free() {
      return size - filled.size
    },
    fill(work) {
      const ended: Promise<void> = work.then(
        () => void filled.delete(ended),
        () => void filled.delete(ended),
      )
      filled.add(ended)
    },
    async roomy(signal) {
      const { promise: aborted, resolve } = Promise.withResolvers<void>()
      const end = () => resolve()
      signal.addEventListener('abort', end)
      while (!signal.aborted && size - filled.size < size / 2) await Promise.race([...filled, aborted])
      signal.removeEventListener('abort', end)
    },
    async empty() {
      while (filled.size > 0) await Promise.all(filled)
    },
  }
}
