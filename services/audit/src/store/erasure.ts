import type { Query } from '@wp/database'

/** The actor of a workspace whose personal data are erased. */
export interface ErasedActor {
  workspaceId: string
  actorId: string
}

/** The place of a record in the list of its actor. */
export interface RecordPlace {
  occurredAt: Date
  id: string
}

/**
 * Deletes the personal data of the actor's records, newest first: of at most `limit` records after `after`.
 * @returns the place of the last record; undefined if there was none
 */
export async function erasePersonalData(
  query: Query,
  { workspaceId, actorId }: ErasedActor,
  { after, limit }: { after: RecordPlace | undefined; limit: number },
): Promise<{ last: RecordPlace | undefined; erased: number }> {
  const [row] = await query<{ occurredAt: Date | null; id: string | null; erased: number }>(
    `WITH record AS (
       SELECT id, occurred_at FROM audit_records
       WHERE workspace_id = $1 AND actor_id = $2 AND (occurred_at, id) < ($3, $4)
       ORDER BY occurred_at DESC, id DESC LIMIT ${limit}
     ), erased AS (
       DELETE FROM audit_personal p USING record WHERE p.workspace_id = $1 AND p.id = record.id RETURNING p.id
     ), last AS (
       SELECT id, occurred_at FROM record ORDER BY occurred_at, id LIMIT 1
     )
     SELECT (SELECT occurred_at FROM last) AS occurred_at, (SELECT id FROM last), (SELECT count(*) FROM erased) AS erased`,
    [workspaceId, actorId, after?.occurredAt ?? 'infinity', after?.id ?? ''],
  )
  const { occurredAt = null, id = null, erased = 0 } = row ?? {}
  return { last: occurredAt === null || id === null ? undefined : { occurredAt, id }, erased }
}

/**
 * Deletes the contents of exports that contain records of the actor, or may contain them because they are not finished.
 * The job of a running one begins again.
 * @returns the number of contents
 */
export async function deleteExports(query: Query, { workspaceId, actorId }: ErasedActor): Promise<number> {
  const deleted = await query(
    `DELETE FROM audit_exports e WHERE e.workspace_id = $1 AND NOT EXISTS (
       SELECT FROM platform.jobs j WHERE j.id = e.id AND j.workspace_id = $1 AND j.state = 'finished' AND NOT EXISTS (
         SELECT FROM audit_records r WHERE r.workspace_id = $1 AND r.actor_id = $2
           AND r.seq BETWEEN (j.result->>'first_seq')::bigint AND (j.result->>'last_seq')::bigint))
     RETURNING e.id`,
    [workspaceId, actorId],
  )
  return deleted.length
}

/** Clears addresses and agents in events of the actor that wait in the outbox, or died before they were recorded. */
export async function clearEvents(query: Query, { workspaceId, actorId }: ErasedActor): Promise<void> {
  await query(
    `UPDATE platform.outbox SET data = ${cleared('data', 'context')} WHERE workspace_id = $1 AND actor->>'id' = $2`,
    [workspaceId, actorId],
  )
  await query(
    `UPDATE platform.dead_events SET event = ${cleared('event', 'data,context')}
     WHERE workspace_id = $1 AND (event->'actor'->>'id' = $2 OR event->'data'->'actor'->>'id' = $2)`,
    [workspaceId, actorId],
  )
}

const cleared = (column: string, path: string): string =>
  ['ip', 'user_agent'].reduce((value, field) => `jsonb_set(${value}, '{${path},${field}}', 'null', false)`, column)
