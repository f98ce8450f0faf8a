import type { ServiceName } from '@wp/contracts'
import type { Bus } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Subject } from '@wp/service'
import { createCellPublisher } from '../publish/event-publisher.ts'
import { createCallCounter } from './call-counter.ts'

/** Reports the calls of workspaces for billing. docs/billing.md states which calls count and which can be lost. */
export interface CallRecorder {
  /** Counts a call that a service answered with this status, if it counts. */
  record(subject: Subject, service: ServiceName, status: number): void
  /** Publishes the remaining counts, for two seconds at most. */
  close(): Promise<void>
}

interface CallRecorderOptions {
  bus: Bus
  /** Buses of the other cells: a call is reported in the cell of its workspace. */
  cells: readonly Bus[]
  log: Log
  metrics: Pick<Metrics, 'count' | 'gauge'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Interval of the reports; default 5,000 ms. A killed edge loses the calls of this period. */
  intervalMs?: number
}

/** Counts in the queues of the publishers at once. The others go on counting, so that a slow broker costs no memory. */
const maxUnsent = 2_000
/** Latest events kept for a broker that loses them, by cell. */
const maxRecent = 20_000
const retryMs = 200

/**
 * Calls of the caller's own making: not those with an invalid credential, over the rate limit or failed by a service.
 */
const counts = (status: number): boolean => status < 500 && status !== 401 && status !== 429

export function createCallRecorder(options: CallRecorderOptions): CallRecorder {
  const { bus, cells, log, metrics, now, intervalMs = 5_000 } = options
  const counter = createCallCounter(now)
  const publisherOptions = {
    noun: 'usage',
    metric: 'edge_usage' as const,
    maxWaiting: Number.POSITIVE_INFINITY, // the recorder limits the queue
    maxRecent,
    log,
    metrics,
    now,
  }
  const publishers = new Map([bus, ...cells].map((cell) => [cell.shard, createCellPublisher(cell, publisherOptions)]))
  const schedule = (delayMs: number, until?: number) => setTimeout(() => report(until ?? now()), delayMs).unref()
  let timer = schedule(intervalMs)

  /** Publishes the counts that began until a time; the rest of them as soon as there is room. */
  function report(until: number): void {
    const unsent = [...publishers.values()].reduce((sum, { publisher }) => sum + publisher.unsent(), 0)
    const room = Math.max(0, maxUnsent - unsent)
    const published = publishCounts(room, until)
    timer = published < room ? schedule(intervalMs) : schedule(retryMs, until)
  }

  /** @returns the number of counts */
  function publishCounts(max: number, until: number): number {
    const taken = counter.take(max, until)
    for (const { shard, event } of taken) {
      const target = publishers.get(shard)
      if (target !== undefined) target.publisher.add(event)
      else {
        log.error({ event: 'usage.dropped', shard }, 'usage dropped: no broker for the cell')
        metrics.count('edge_usage_dropped')
      }
    }
    return taken.length
  }

  return {
    record(subject, service, status) {
      if (counts(status) && !counter.add(subject, service)) metrics.count('edge_usage_dropped')
    },
    async close() {
      clearTimeout(timer)
      publishCounts(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
      await Promise.all([...publishers.values()].map(({ close }) => close()))
    },
  }
}
