import { setTimeout as pause } from 'node:timers/promises'
import { auditRecorded, type DomainEvent, webhookEvents } from '@wp/contracts'
import { newId } from '@wp/database'
import { type Bus, publishEvent } from '@wp/events'
import type { Content } from './sinks.ts'

const concurrency = 50
const retryMs = 100

/**
 * Publishes records to the broker, each until it is acknowledged, also while the broker is away.
 * @returns the marks of the records
 */
export async function publishRecords(bus: Bus, workspaceId: string, content: Content, count: number) {
  const events = Array.from({ length: count }, () => create[content](workspaceId))
  const waiting = events.values()
  async function publishWaiting(): Promise<void> {
    for (const { event } of waiting) await publishUntilAcknowledged(bus, event)
  }
  await Promise.all(Array.from({ length: concurrency }, publishWaiting))
  return events.map(({ mark }) => mark)
}

async function publishUntilAcknowledged(bus: Bus, event: DomainEvent): Promise<void> {
  for (;;)
    try {
      return await publishEvent(bus, 'data', event)
    } catch {
      await pause(retryMs)
    }
}

const create: Readonly<Record<Content, (workspaceId: string) => { event: DomainEvent; mark: string }>> = {
  audit(workspaceId) {
    const { example } = auditRecorded
    const requestId = newId('req')
    const data = { ...example, context: { ...example.context, request_id: requestId } }
    return { event: createEvent(workspaceId, auditRecorded.kind, requestId, data), mark: requestId }
  },
  events(workspaceId) {
    const { occurred_at: _added, ...data } = webhookEvents.DATA_SYNC_FINISHED.example as Record<string, unknown> // an object by its type
    const event = createEvent(workspaceId, 'DATA_SYNC_FINISHED', newId('req'), data)
    return { event, mark: event.id }
  },
}

const createEvent = (
  workspaceId: string,
  kind: string,
  requestId: string,
  data: Record<string, unknown>,
): DomainEvent => ({
  id: newId('evt'),
  kind,
  workspace_id: workspaceId,
  occurred_at: new Date().toISOString(),
  actor: auditRecorded.example.actor,
  request_id: requestId,
  traceparent: null,
  data,
})
