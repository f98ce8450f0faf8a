import { isInfrastructureError } from '@wp/events'
import { LeaseLost } from '@wp/jobs'
import { backoffMs, pause } from '@wp/runtime'
import type { NewEvents } from '../store/runs/run-events.ts'
import { storableJson } from '../store/storable-json.ts'
import { type Chunk, type EventBatch, maxBatchBytes } from './chunk.ts'

/**
 * Shortest time between two batches, so that a token is no transaction. The first event after a pause is written at
 * once.
 */
const batchMs = 50
/** A batch that is this large does not wait. */
const fullBatch = 32
const retryBackoff = { firstMs: 50, maxMs: 2_000 }

export interface EventWriterOptions {
  /** Number of the last event that is written. */
  lastSeq: number
  /** Writes events. @returns false if the attempt may no longer write */
  write(events: NewEvents): Promise<boolean>
  /** Called with each batch once it is written. */
  publish(batch: EventBatch): void
  /** Ends retries while the database is unavailable. */
  signal: AbortSignal
}

interface BufferedChunk {
  chunk: Chunk
  bytes: number
  outputLength: number
}

/** Writes the events of a run in batches, in order. Consecutive deltas of a text become one event. */
export class EventWriter {
  readonly #options: EventWriterOptions
  #lastSeq: number
  #buffer: BufferedChunk[] = []
  #bufferedBytes = 0
  #writing: Promise<void> | undefined
  #error: unknown
  #lastWriteAt = Number.NEGATIVE_INFINITY
  #urgent = new AbortController()

  constructor(options: EventWriterOptions) {
    this.#options = options
    this.#lastSeq = options.lastSeq
  }

  /** Number of the last event that is written. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Adds an event. @param outputLength characters that a model has written in it */
  push(chunk: Chunk, outputLength = 0): void {
    const stored = storableJson(chunk) as Chunk // text without NUL is of the same shape
    const last = this.#buffer.at(-1)
    if (last?.chunk.type === 'text-delta' && stored.type === 'text-delta' && last.chunk.id === stored.id) {
      last.chunk = { ...last.chunk, delta: last.chunk.delta + stored.delta }
      last.bytes += stored.delta.length
      last.outputLength += outputLength
      this.#bufferedBytes += stored.delta.length
    } else {
      const bytes = JSON.stringify(stored).length
      this.#buffer.push({ chunk: stored, bytes, outputLength })
      this.#bufferedBytes += bytes
    }
    if (this.#buffer.length >= fullBatch) this.#urgent.abort()
    this.#writing ??= this.#writeAll()
  }

  /** Waits while more is buffered than one batch holds. @throws LeaseLost, or the error of the database */
  async drain(): Promise<void> {
    if (this.#error !== undefined) throw this.#error
    if (this.#bufferedBytes > maxBatchBytes) await this.flush()
  }

  /** Waits until every event is written. @throws LeaseLost, or the error of the database */
  async flush(): Promise<void> {
    this.#urgent.abort()
    while (this.#writing !== undefined) await this.#writing
    if (this.#error !== undefined) throw this.#error
  }

  async #writeAll(): Promise<void> {
    try {
      // Chunks that are pushed in the same turn belong to the first batch.
      await Promise.resolve()
      while (this.#buffer.length > 0) {
        const waitMs = this.#lastWriteAt + batchMs - performance.now()
        if (waitMs > 0) await pause(waitMs, this.#urgent.signal)
        this.#urgent = new AbortController()
        this.#lastWriteAt = performance.now()
        await this.#writeBatch(this.#takeBatch())
      }
    } catch (error) {
      this.#error = error
      this.#buffer = []
      this.#bufferedBytes = 0
    } finally {
      this.#writing = undefined
    }
  }

  #takeBatch(): BufferedChunk[] {
    let bytes = 0
    const end = this.#buffer.findIndex((buffered, index) => {
      bytes += buffered.bytes
      return bytes > maxBatchBytes && index > 0
    })
    const batch = this.#buffer.splice(0, end === -1 ? this.#buffer.length : end)
    for (const buffered of batch) this.#bufferedBytes -= buffered.bytes
    return batch
  }

  async #writeBatch(batch: readonly BufferedChunk[]): Promise<void> {
    const chunks = batch.map(({ chunk }) => chunk)
    const outputLength = batch.reduce((sum, buffered) => sum + buffered.outputLength, 0)
    const events = { lastSeq: this.#lastSeq, json: JSON.stringify(chunks), count: chunks.length, outputLength }
    if (!(await this.#retry(() => this.#options.write(events))))
      throw new LeaseLost('the run has another attempt or has ended')
    this.#options.publish({ firstSeq: this.#lastSeq + 1, chunks })
    this.#lastSeq += chunks.length
  }

  /** A short failure of the database does not end the run; the write is repeatable. */
  async #retry<T>(write: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures += 1)
      try {
        return await write()
      } catch (error) {
        if (!isInfrastructureError(error)) throw error
        await pause(backoffMs(failures, retryBackoff, Math.random()), this.#options.signal)
        if (this.#options.signal.aborted) throw error
      }
  }
}
