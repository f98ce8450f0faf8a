import type { Caller } from '@wp/contracts'
import { escapeLiteral } from 'pg'

/** An event to be written to the outbox. */
export interface OutboxEvent {
  id: string
  kind: string
  workspaceId: string
  /** Shard of the workspace; empty for the shard of the service itself. */
  shard: string
  data: unknown
}

/** Returns the statement that inserts the events in order. The database sets the time of occurrence. */
export function outboxStatement(caller: Caller, events: readonly OutboxEvent[]): string {
  const actor = escapeLiteral(JSON.stringify(caller.principal))
  const request = escapeLiteral(caller.requestId)
  const trace = caller.traceparent === undefined ? 'NULL' : escapeLiteral(caller.traceparent)
  const rows = events.map(({ id, kind, workspaceId, shard, data }) => {
    const columns = [id, kind, workspaceId, shard].map(escapeLiteral).join(', ')
    return `(${columns}, clock_timestamp(), ${actor}, ${request}, ${trace}, ${escapeLiteral(JSON.stringify(data))})`
  })
  return `INSERT INTO platform.outbox (id, kind, workspace_id, shard, occurred_at, actor, request_id, traceparent, data)
    VALUES ${rows.join(', ')}`
}
