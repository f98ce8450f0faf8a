import type { DomainEvent } from '@wp/contracts'

/** A row of the outbox as the driver reads it. */
export interface OutboxRow {
  position: number
  id: string
  kind: string
  workspace_id: string
  occurred_at: Date
  actor: DomainEvent['actor']
  request_id: string
  traceparent: string | null
  data: Record<string, unknown>
}

/** What is put on the broker for a row. */
export function toEnvelope(row: OutboxRow): DomainEvent {
  const { id, kind, workspace_id, occurred_at, actor, request_id, traceparent, data } = row
  return { id, kind, workspace_id, occurred_at: occurred_at.toISOString(), actor, request_id, traceparent, data }
}

/**
 * What is left of an event too large for the broker: what it is about, and that there is more to be read there. One that
 * names nothing stays whole.
 */
export function truncateEvent(event: DomainEvent): DomainEvent {
  const { id, status } = event.data
  if (typeof id !== 'string' || typeof status !== 'string') return event
  return { ...event, data: { id, status, truncated: true } }
}

/** Reads what lay on the broker: an event, or why it is none. */
export function parseEnvelope(bytes: Uint8Array): { event: DomainEvent } | { defect: string } {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { defect: `not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return checkEnvelope(value)
}

/** Says whether a value is an event, or why it is none. */
export function checkEnvelope(value: unknown): { event: DomainEvent } | { defect: string } {
  const defect = findDefect(value)
  // True because findDefect looked at every field.
  return defect === undefined ? { event: value as DomainEvent } : { defect }
}

function findDefect(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object'
  for (const name of ['id', 'kind', 'workspace_id', 'occurred_at', 'request_id'])
    if (typeof value[name] !== 'string') return `${name} is not a text`
  if (value.id === '' || value.kind === '') return 'id or kind is empty'
  if (Number.isNaN(Date.parse(String(value.occurred_at)))) return 'occurred_at is not a time'
  if (value.traceparent !== null && typeof value.traceparent !== 'string') return 'traceparent is not a text or null'
  if (!isObject(value.actor) || typeof value.actor.id !== 'string' || typeof value.actor.type !== 'string')
    return 'actor is not an actor'
  return isObject(value.data) ? undefined : 'data is not an object'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
