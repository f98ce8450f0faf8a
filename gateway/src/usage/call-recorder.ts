import { type DomainEvent, type ServiceName, usageRecorded } from '@wp/contracts'
import type { Bus } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Subject } from '@wp/service'
import { typeid } from 'typeid-js'
import { createCellPublisher } from '../event-publisher.ts'

/** Number of pairs of workspace and service. A count takes about 250 bytes. */
const maxCounts = 200_000

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

/** The calls of a workspace to a service since the last publication. */
interface CallCount {
  workspaceId: string
  shard: string
  service: ServiceName
  /** Milliseconds since 1970. */
  since: number
  calls: number
}

interface CallCounter {
  /** Counts a call. @returns false if there are too many counts, and this call would need a further one */
  add(subject: Subject, service: ServiceName): boolean
  /**
   * Removes the counts that wait longest and returns them as events.
   * @param until time until which a count must have begun, in milliseconds since 1970
   */
  take(max: number, until: number): { shard: string; event: DomainEvent }[]
}

/** Counts the calls of each workspace to each service. @param now milliseconds since 1970 */
export function createCallCounter(now: () => number, max = maxCounts): CallCounter {
  /** In the order of the first call. */
  const counts = new Map<string, CallCount>()
  return {
    add({ workspaceId, shard }, service) {
      if (workspaceId === null) return true
      const key = `${workspaceId} ${service}`
      const count = counts.get(key)
      if (count !== undefined) count.calls += 1
      else if (counts.size >= max) return false
      else counts.set(key, { workspaceId, shard, service, since: now(), calls: 1 })
      return true
    },
    take(wanted, until) {
      const taken: CallCount[] = []
      for (const [key, count] of counts) {
        if (taken.length >= wanted || count.since > until) break
        counts.delete(key)
        taken.push(count)
      }
      return taken.map((count) => ({ shard: count.shard, event: toEvent(count) }))
    },
  }
}

/** The event gets its id here and keeps it, so that a repeated publication does not count twice. */
function toEvent({ workspaceId, service, since, calls }: CallCount): DomainEvent {
  const data = { meter: 'api_calls' as const, quantity: calls, subject: service, dimensions: { service } }
  return {
    id: typeid('evt').toString(),
    kind: usageRecorded.kind,
    workspace_id: workspaceId,
    occurred_at: new Date(since).toISOString(),
    actor: { id: 'gateway', type: 'service' },
    request_id: '',
    traceparent: null,
    data,
  }
}
