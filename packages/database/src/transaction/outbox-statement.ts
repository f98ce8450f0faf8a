import type { Caller } from '@wp/contracts'
import { escapeLiteral } from 'pg'

/** An event on its way into the outbox. */
export interface OutboxEvent {
  id: string
  kind: string
  workspaceId: string
  /** Where the workspace lives; empty: where the service is at home. */
  shard: string
  data: unknown
}

/** The statement that puts the events into the outbox, in their order; the database says when they happened. */
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
