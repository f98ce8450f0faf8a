/** How much may be under way at once. */
export interface Slots {
  readonly size: number
  readonly full: boolean
  /** Takes a slot until the work has ended, well or not. */
  fill(work: Promise<void>): void
  /** Resolves when a slot is free. */
  room(): Promise<void>
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
    async room() {
      if (filled.size >= size) await Promise.race(filled)
    },
    async empty() {
      while (filled.size > 0) await Promise.all(filled)
    },
  }
}
