import type { DomainEvent } from '@wp/contracts'

/** A row of the outbox as decoded by the database driver. */
export interface OutboxRow {
  position: number
  id: string
  kind: string
  workspaceId: string
  occurredAt: Date
  actor: DomainEvent['actor']
  requestId: string
  traceparent: string | null
  data: Record<string, unknown>
}

/** Returns the event published for an outbox row. */
export function toEnvelope(row: OutboxRow): DomainEvent {
  const { id, kind, actor, traceparent, data } = row
  return {
    id,
    kind,
    workspace_id: row.workspaceId,
    occurred_at: row.occurredAt.toISOString(),
    actor,
    request_id: row.requestId,
    traceparent,
    data,
  }
}

/**
 * Returns an event that exceeds the broker's size limit with only `id` and `status` as data, marked as truncated:
 * consumers read the resource instead. Returned unchanged if the data has no id and status.
 */
export function truncateEvent(event: DomainEvent): DomainEvent {
  const { id, status } = event.data
  if (typeof id !== 'string' || typeof status !== 'string') return event
  return { ...event, data: { id, status, truncated: true } }
}

/** Parses a message from the broker. Returns the event, or why the message is not a valid event. */
export function parseEnvelope(bytes: Uint8Array): { event: DomainEvent } | { defect: string } {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { defect: `not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return checkEnvelope(value)
}

/** Validates an event. Returns it, or why the value is not a valid event. */
export function checkEnvelope(value: unknown): { event: DomainEvent } | { defect: string } {
  const defect = findDefect(value)
  // findDefect has checked every field.
  return defect === undefined ? { event: value as DomainEvent } : { defect }
}

function findDefect(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object'
  for (const name of ['id', 'kind', 'workspace_id', 'occurred_at', 'request_id'])
    if (typeof value[name] !== 'string') return `${name} is not a string`
  if (value.id === '' || value.kind === '') return 'id or kind is empty'
  if (Number.isNaN(Date.parse(String(value.occurred_at)))) return 'occurred_at is not a timestamp'
  if (value.traceparent !== null && typeof value.traceparent !== 'string') return 'traceparent is not a string or null'
  if (!isObject(value.actor) || typeof value.actor.id !== 'string' || typeof value.actor.type !== 'string')
    return 'actor has no id and type'
  return isObject(value.data) ? undefined : 'data is not an object'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
