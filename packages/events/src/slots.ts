/** How much may be under way at once. */
export interface Slots {
  readonly size: number
  readonly full: boolean
  /** Takes a slot until the work has ended, well or not. */
  fill(work: Promise<void>): void
  /** Resolves when a slot is free, or when the signal is aborted. */
  room(signal: AbortSignal): Promise<void>
  /** Resolves when nothing is under way. */
  empty(): Promise<void>
}

export function createSlots(size: number): Slots {
  const filled = new Set<Promise<void>>()

  return {
    size,
    get full() {
      return filled.size >= size
    },
    fill(work) {
      const ended: Promise<void> = work.then(
        () => void filled.delete(ended),
        () => void filled.delete(ended),
      )
      filled.add(ended)
    },
    async room(signal) {
      if (filled.size < size || signal.aborted) return
      const { promise: aborted, resolve: end } = Promise.withResolvers<void>()
      const endNow = () => end()
      signal.addEventListener('abort', endNow)
      await Promise.race([...filled, aborted])
      signal.removeEventListener('abort', endNow)
    },
    async empty() {
      while (filled.size > 0) await Promise.all(filled)
    },
  }
}
