import { type DomainEvent, type ServiceName, usageRecorded } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { typeid } from 'typeid-js'

/** The calls of a workspace to a service since the last publication. */
interface CallCount {
  workspaceId: string
  shard: string
  service: ServiceName
  /** Milliseconds since 1970. */
  since: number
  calls: number
}

export interface CallCounter {
  /** Counts a call. @returns false if there are too many counts, and this call would need a further one */
  add(subject: Subject, service: ServiceName): boolean
  /**
   * Removes the counts that wait longest and returns them as events.
   * @param until time until which a count must have begun, in milliseconds since 1970
   */
  take(max: number, until: number): { shard: string; event: DomainEvent }[]
}

/** Number of pairs of workspace and service. A count takes about 250 bytes. */
const maxCounts = 200_000

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
