import type { Database, Query, WorkerClient } from '@wp/database'
import type { OutboxRow } from '../bus/envelope.ts'

// The outbox holds the events of every shard that the service serves; each is published to the cell of its shard. An
// empty `shard` is the shard of the service itself.

/** Returns the age of the oldest unpublished event of a shard in seconds; undefined if there is none. */
export async function oldestUnpublishedAge(worker: Database['worker'], shard: string): Promise<number | undefined> {
  const { rows } = await worker.query<{ age: number }>({
    name: 'find_oldest_unpublished',
    text: `SELECT extract(epoch FROM clock_timestamp() - occurred_at)::float8 AS age
      FROM platform.outbox WHERE published_at IS NULL AND shard = $1 ORDER BY position LIMIT 1`,
    values: [shard],
  })
  return rows[0]?.age
}

/** Tries to take the lock that allows one relay per database and shard, until the end of the transaction. */
export async function lockOutbox(query: Query, shard: string): Promise<boolean> {
  const [row] = await query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtext('platform'), hashtext('outbox' || $1::text)) AS locked`,
    [shard],
    'lock_outbox',
  )
  return row?.locked === true
}

/**
 * Returns the oldest unpublished events. Selects by state rather than from a stored position, because a transaction
 * that began earlier may commit later.
 */
export const findUnpublished = (
  query: Query,
  shard: string,
  limit: number,
): Promise<(OutboxRow & { ageSeconds: number })[]> =>
  query<OutboxRow & { ageSeconds: number }>(
    `SELECT position, id, kind, workspace_id, occurred_at, actor, request_id, traceparent, data,
       extract(epoch FROM clock_timestamp() - occurred_at)::float8 AS age_seconds
     FROM platform.outbox WHERE published_at IS NULL AND shard = $2 ORDER BY position LIMIT $1`,
    [limit, shard],
    'find_unpublished',
  )

/** Marks events as published now. */
export async function markPublished(query: Query, rows: readonly OutboxRow[]): Promise<void> {
  await query(
    'UPDATE platform.outbox SET published_at = clock_timestamp() WHERE position = ANY ($1::bigint[])',
    [rows.map((row) => row.position)],
    'mark_published',
  )
}

/** Records an event that the broker can never accept as a dead letter, so that it does not block later events. */
export async function deadLetterOutboxRow(query: Query, row: OutboxRow, reason: string): Promise<void> {
  await query(
    `INSERT INTO platform.dead_events (consumer, event_id, workspace_id, content, failures, error, died_at)
     VALUES ('relay', $1, $2, $3, 1, $4, now())
     ON CONFLICT (consumer, event_id) DO UPDATE SET error = excluded.error, died_at = now(), redrive_at = NULL`,
    [row.id, row.workspaceId, JSON.stringify({ id: row.id, kind: row.kind }), reason],
  )
}

/** Identity of a stream as observed on the broker. */
export interface ObservedStream {
  name: string
  /** As the broker reports it, with nanoseconds. */
  createdAt: string
  serverId: string
}

/** Compares the stream and the broker process with those of the last publication. */
export async function compareStream(
  client: WorkerClient,
  stream: ObservedStream,
): Promise<{ sameStream: boolean; sameServer: boolean }> {
  const { rows } = await client.query<{ sameStream: boolean; sameServer: boolean }>(
    `SELECT created_at = $2::timestamptz AS same_stream, server_id = $3 AS same_server
     FROM platform.streams WHERE name = $1`,
    [stream.name, stream.createdAt, stream.serverId],
  )
  return rows[0] ?? { sameStream: false, sameServer: false }
}

/** Stores the stream and the broker process as those of the last publication. */
export async function rememberStream(client: WorkerClient, stream: ObservedStream): Promise<void> {
  await client.query(
    `INSERT INTO platform.streams (name, created_at, server_id) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at, server_id = excluded.server_id`,
    [stream.name, stream.createdAt, stream.serverId],
  )
}

/** Marks all stored events of a shard as unpublished. @returns their number */
export async function unpublishAll(client: WorkerClient, shard: string): Promise<number> {
  const { rowCount } = await client.query(
    'UPDATE platform.outbox SET published_at = NULL WHERE published_at IS NOT NULL AND shard = $1',
    [shard],
  )
  return rowCount ?? 0
}

/**
 * Marks events as unpublished that were published in the `minutes` before the last publication, ignoring publications
 * younger than `untilMsAgo`. Counted from the last publication instead of now, because the broker may have been
 * unavailable for longer.
 *
 * @returns the number of events
 */
export async function unpublishRecent(
  client: WorkerClient,
  shard: string,
  minutes: number,
  untilMsAgo: number,
): Promise<number> {
  const { rowCount } = await client.query(
    `WITH last AS (
       SELECT max(published_at) AS at FROM platform.outbox
       WHERE published_at <= clock_timestamp() - make_interval(secs => $2 / 1000.0) AND shard = $3
     )
     UPDATE platform.outbox SET published_at = NULL FROM last
     WHERE published_at > last.at - make_interval(mins => $1) AND published_at <= last.at AND shard = $3`,
    [minutes, untilMsAgo, shard],
  )
  return rowCount ?? 0
}

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
