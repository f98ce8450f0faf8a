import { type DomainEvent, isSigner, meterProducers, usageRecorded } from '@wp/contracts'
import type { Database, Query } from '@wp/database'
import { type Bus, createBulkConsumer, type EventConsumer, type EventMetadata, parseSubject } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { requestUsageChecks } from '../store/usage-checks.ts'
import { addUsage } from '../store/usage-totals.ts'
import { aggregateUsage, type UsageEvent } from './aggregate-usage.ts'

interface UsageConsumerOptions {
  database: Database
  /** Broker connection of the cell whose events are consumed. */
  bus: Bus
  log: Log
  metrics: Metrics
}

/**
 * Creates the consumer of the usage events of one cell. It adds each event to the totals once, the events of all
 * workspaces together, so that neither many workspaces nor many events of one are slow.
 */
export const createUsageConsumer = ({ database, bus, log, metrics }: UsageConsumerOptions): EventConsumer =>
  createBulkConsumer({
    database,
    bus,
    service: 'billing',
    purpose: 'usage',
    kinds: [usageRecorded.kind],
    authorize: rejectionReason,
    handle: (batch, query) =>
      addUsageEvents(
        query,
        bus.shard,
        batch.map(({ event }) => event),
      ),
    log,
    metrics,
  })

/** The broker's permissions bind a producer to its subjects, so a service can report only the use of its own meters. */
function rejectionReason(event: DomainEvent, { subject }: EventMetadata): string | undefined {
  const parsed = parseSubject(subject ?? '')
  if (parsed === undefined) return 'the subject is unknown'
  if (event.workspace_id === '' || parsed.workspace_id !== event.workspace_id)
    return 'the subject names another workspace, or none'
  const { data } = usageRecorded.data.safeParse(event.data)
  if (data === undefined) return 'the event data are invalid'
  if (!isSigner(parsed.producer) || meterProducers[data.meter] !== parsed.producer)
    return `${parsed.producer} may not record ${data.meter}`
  return undefined
}

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
