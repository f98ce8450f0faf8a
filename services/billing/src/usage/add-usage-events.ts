import { type DomainEvent, usageRecorded } from '@wp/contracts'
import type { Query } from '@wp/database'
import { requestUsageChecks } from '../store/usage-checks.ts'
import { addUsage } from '../store/usage-totals.ts'
import { aggregateUsage, type UsageEvent } from './aggregate-usage.ts'

/**
 * Adds events of any workspaces of a cell to the totals and requests checks of their limits. Requires the worker role.
 * @throws ZodError if the data of an event are malformed
 */
export async function addUsageEvents(query: Query, shard: string, events: readonly DomainEvent[]): Promise<void> {
  const { totals, byDimension, workspaceIds } = aggregateUsage(events.map(toUsage))
  await addUsage(query, totals, byDimension)
  await requestUsageChecks(query, shard, workspaceIds)
}

function toUsage({ workspace_id: workspaceId, occurred_at, data }: DomainEvent): UsageEvent {
  const { meter, quantity, dimensions } = usageRecorded.data.parse(data)
  return { workspaceId, meter, quantity, dimensions, occurredAt: Date.parse(occurred_at) }
}
