import { randomUUID } from 'node:crypto'
import { type Bus, type Subscription, wakeSubject } from '@wp/events'
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

type Listener = (batch: EventBatch) => void

/**
 * Carries the events of runs to their readers while they are written: by a function call within the process, so that it
 * works without the broker, and over core NATS to other replicas. Messages may be lost: readers find what they missed
 * in the database.
 */
export interface LiveEvents {
  /** Sends events that are written. */
  publish(runId: string, batch: EventBatch): void
  /** Calls the listener with the events of a run. @returns a function that removes the listener */
  listen(runId: string, listener: Listener): () => void
}

interface Channel {
  listeners: Set<Listener>
  subscription: Subscription
}

interface Message extends EventBatch {
  sender: string
}

export function createLiveEvents(bus: Pick<Bus, 'publish' | 'subscribe' | 'shard'>): LiveEvents {
  const instanceId = randomUUID()
  const channels = new Map<string, Channel>()
  const subjectOf = (runId: string) => wakeSubject(bus.shard, 'ai', `events-${runId}`)

  function open(runId: string): Channel {
    const listeners = new Set<Listener>()
    const subscription = bus.subscribe(subjectOf(runId), (data) => {
      const message = data as Message // published by `publish` of another replica
      if (message.sender !== instanceId) for (const listener of listeners) listener(message)
    })
    const channel = { listeners, subscription }
    channels.set(runId, channel)
    return channel
  }

  return {
    publish(runId, batch) {
      for (const listener of channels.get(runId)?.listeners ?? []) listener(batch)
      const message: Message = { sender: instanceId, ...batch }
      bus.publish(subjectOf(runId), message)
    },
    listen(runId, listener) {
      const channel = channels.get(runId) ?? open(runId)
      channel.listeners.add(listener)
      return () => {
        channel.listeners.delete(listener)
        if (channel.listeners.size > 0 || channels.get(runId) !== channel) return
        channel.subscription.unsubscribe()
        channels.delete(runId)
      }
    },
  }
}
