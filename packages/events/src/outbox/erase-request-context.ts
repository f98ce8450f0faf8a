import type { Query } from '@wp/database'

/**
 * Clears the address and the user agent of the requests in audit events of an actor that wait in the outbox, or that
 * became dead letters before they were recorded.
 */
export async function eraseRequestContext(
  query: Query,
  { workspaceId, actorId }: { workspaceId: string; actorId: string },
): Promise<void> {
  await query(
    `UPDATE platform.outbox SET data = ${cleared('data', 'context')} WHERE workspace_id = $1 AND actor->>'id' = $2`,
    [workspaceId, actorId],
  )
  await query(
    `UPDATE platform.dead_events SET content = ${cleared('content', 'data,context')}
     WHERE workspace_id = $1 AND (content->'actor'->>'id' = $2 OR content->'data'->'actor'->>'id' = $2)`,
    [workspaceId, actorId],
  )
}

const cleared = (column: string, path: string): string =>
  ['ip', 'user_agent'].reduce((value, field) => `jsonb_set(${value}, '{${path},${field}}', 'null', false)`, column)
