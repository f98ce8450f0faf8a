import type { Caller } from '@wp/contracts'
import { escapeLiteral } from 'pg'

/** An event on its way into the outbox. */
export interface OutboxEvent {
  id: string
  kind: string
  workspaceId: string
  data: unknown
}

/** The statement that puts the events into the outbox, in their order; the database says when they happened. */
export function outboxStatement(caller: Caller, events: readonly OutboxEvent[]): string {
  const actor = escapeLiteral(JSON.stringify(caller.principal))
  const request = escapeLiteral(caller.requestId)
  const trace = caller.traceparent === undefined ? 'NULL' : escapeLiteral(caller.traceparent)
  const rows = events.map(({ id, kind, workspaceId, data }) => {
    const [idText, kindText, workspaceText, dataText] = [id, kind, workspaceId, JSON.stringify(data)].map(escapeLiteral)
    return `(${idText}, ${kindText}, ${workspaceText}, clock_timestamp(), ${actor}, ${request}, ${trace}, ${dataText})`
  })
  return `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, traceparent, data)
    VALUES ${rows.join(', ')}`
}
