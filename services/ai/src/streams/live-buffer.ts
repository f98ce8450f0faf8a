import { type Chunk, type EventBatch, maxBatchBytes } from './chunk.ts'

/** The live events that a reader has not read yet, of limited size: a slow reader reads the rest from the database. */
export class LiveBuffer {
  #batches: EventBatch[] = []
  #bytes = 0
  #wake: (() => void) | undefined

  /** Adds events. Those that do not fit are dropped with all before, which the reader then reads from the database. */
  add(batch: EventBatch): void {
    const bytes = JSON.stringify(batch.chunks).length
    if (this.#bytes + bytes > maxBatchBytes) this.clear()
    if (bytes <= maxBatchBytes) {
      this.#batches.push(batch)
      this.#bytes += bytes
    }
    this.#wake?.()
  }

  clear(): void {
    this.#batches = []
    this.#bytes = 0
  }

  /** Removes and returns the events after a number; undefined if some before the next buffered ones are missing. */
  take(after: number): Chunk[] | undefined {
    const chunks: Chunk[] = []
    for (const { firstSeq, chunks: batch } of this.#batches) {
      const next = after + chunks.length + 1
      if (firstSeq > next) {
        this.clear()
        return undefined
      }
      chunks.push(...batch.slice(next - firstSeq))
    }
    this.clear()
    return chunks
  }

  /** Waits for an event, the time or the signal. @returns false if no event has arrived */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#batches.length > 0) return true
    if (signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    const abort = () => resolve(false)
    this.#wake = () => resolve(true)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      this.#wake = undefined
    }
  }
}
