import type { DomainEvent } from '@wp/contracts'
import { type Bus, publishEvent } from '@wp/events'
import { backoffMs, type Log, type Metrics, pause, waitAtMost } from '@wp/runtime'

interface EventPublisherOptions {
  /** Noun for the events in log messages. */
  noun: string
  /** First part of the names of the metrics. */
  metric: 'edge_audit' | 'edge_usage'
  /** Resolves when the broker has acknowledged the event. */
  publish(event: DomainEvent): Promise<void>
  log: Log
  metrics: Pick<Metrics, 'count' | 'gauge'>
  /** Milliseconds since 1970. */
  now(): number
  maxWaiting?: number
  /** Published events kept for `republishRecent`, the latest; default `maxWaiting`. */
  maxRecent?: number
}

/** Delay in which events are collected into a batch. A killed process loses the events of this period. */
const batchDelayMs = 50
const batchSize = 200
const backoff = { firstMs: 50, maxMs: 5_000 }

/** The broker syncs to disk every two minutes by default; the outbox republishes the same period. */
const republishWindowMs = 600_000

/** Log the first failure and every tenth after it. */
const failuresPerLogMessage = 10

/** Time for the queued events of a cell when the edge stops. */
const closeTimeoutMs = 2_000

/** Creates the publisher of a cell, which publishes the recent events again when its broker is back. */
export function createCellPublisher(cell: Bus, options: Omit<EventPublisherOptions, 'publish'>) {
  const publisher = new EventPublisher({ ...options, publish: (event) => publishEvent(cell, 'gateway', event) })
  const removeListener = cell.onConnect(() => publisher.republishRecent())
  return {
    shard: cell.shard,
    publisher,
    close() {
      removeListener()
      return publisher.close(closeTimeoutMs)
    },
  }
}

/** Publishes events from a queue in memory, until the broker acknowledges them. */
export class EventPublisher {
  readonly #options: EventPublisherOptions
  readonly #maxWaiting: number
  readonly #recent: RecentEvents
  #waiting: DomainEvent[] = []
  #inFlight: DomainEvent[] = []
  #sending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #isClosing = false

  constructor(options: EventPublisherOptions) {
    const { maxWaiting = 10_000, maxRecent = maxWaiting, now } = options
    this.#options = options
    this.#maxWaiting = maxWaiting
    this.#recent = createRecentEvents({ windowMs: republishWindowMs, maxEvents: maxRecent, now })
  }

  /** Queues an event; drops it, counted, if too many wait. */
  add(event: DomainEvent): void {
    if (this.unsent() >= this.#maxWaiting) {
      this.#options.metrics.count(`${this.#options.metric}_dropped`)
      return
    }
    this.#waiting.push(event)
    // after a failure the next attempt is scheduled already
    if (this.#failures === 0) this.#schedule(batchDelayMs)
  }

  /** Publishes the events of the last ten minutes again. Call it when the broker is back: it may have lost them. */
  republishRecent(): void {
    this.#waiting = [...this.#recent.takeAll(), ...this.#waiting]
    this.#failures = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length > 0) this.#schedule(0)
  }

  /** Publishes what is queued. @returns the number of events that could not be published in time */
  async close(timeoutMs: number): Promise<number> {
    const deadline = performance.now() + timeoutMs
    const remainingMs = () => Math.max(0, deadline - performance.now())
    this.#isClosing = true
    clearTimeout(this.#timer)
    while (this.unsent() > 0 && remainingMs() > 0) {
      await waitAtMost(remainingMs(), this.#send())
      if (this.#failures > 0) await pause(Math.min(batchDelayMs, remainingMs()))
    }
    const lost = this.unsent()
    if (lost > 0) {
      const { noun, metric, metrics, log } = this.#options
      metrics.count(`${metric}_dropped`, {}, lost)
      log.error({ event: `${noun}.dropped`, lost }, `${noun} events dropped: the edge stopped before they were sent`)
    }
    return lost
  }

  /** Returns the number of events that the broker has not acknowledged. */
  unsent(): number {
    return this.#waiting.length + this.#inFlight.length
  }

  #schedule(delayMs: number): void {
    if (this.#isClosing) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#send()
    }, delayMs)
  }

  /** Sends one batch at a time; events added while it is in flight go with the next. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined
      if (this.#waiting.length === 0) return
      this.#schedule(this.#failures === 0 ? batchDelayMs : backoffMs(this.#failures, backoff, Math.random()))
    })
    return this.#sending
  }

  async #sendBatch(): Promise<void> {
    const { publish, metric, metrics } = this.#options
    const batch = this.#waiting.splice(0, batchSize)
    this.#inFlight = batch
    const results = await Promise.allSettled(batch.map((event) => publish(event)))
    const acknowledged = batch.filter((_, index) => results[index]?.status === 'fulfilled')
    const failed = batch.filter((_, index) => results[index]?.status === 'rejected')
    this.#waiting = [...failed, ...this.#waiting]
    this.#inFlight = []
    this.#recent.add(acknowledged)
    metrics.count(`${metric}_published`, {}, acknowledged.length)
    metrics.gauge(`${metric}_waiting`, this.#waiting.length)
    this.#recordResult(results.find((result) => result.status === 'rejected'))
  }

  #recordResult(rejection: PromiseRejectedResult | undefined): void {
    if (rejection === undefined) {
      this.#failures = 0
      return
    }
    const { log, noun } = this.#options
    if (this.#failures % failuresPerLogMessage === 0)
      log.warn({ event: `${noun}.publish_failed`, err: rejection.reason }, `failed to publish ${noun} events; retrying`)
    this.#failures += 1
  }
}

/** Published events that are kept for a while in case the broker loses them. */
interface RecentEvents {
  add(events: readonly DomainEvent[]): void
  /** Removes and returns the events that were added within the window. */
  takeAll(): DomainEvent[]
}

interface RecentEventsOptions {
  /** Retention of an event. */
  windowMs: number
  /** The oldest are dropped beyond it. */
  maxEvents: number
  now: () => number
}

function createRecentEvents({ windowMs, maxEvents, now }: RecentEventsOptions): RecentEvents {
  let recent: { event: DomainEvent; addedAt: number }[] = []
  const isWithinWindow = ({ addedAt }: { addedAt: number }) => addedAt > now() - windowMs
  return {
    add(events) {
      const added = events.map((event) => ({ event, addedAt: now() }))
      recent = [...recent, ...added].filter(isWithinWindow).slice(-maxEvents)
    },
    takeAll() {
      const taken = recent.filter(isWithinWindow).map(({ event }) => event)
      recent = []
      return taken
    },
  }
}
