import type { DomainEvent } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { EventMetadata } from './received-event.ts'

type WorkerPool = Database['worker']

/** A deferred event that this replica has leased. */
export interface DeferredEvent {
  event: DomainEvent
  metadata: EventMetadata
}

/** Lease on a deferred event, renewed each second; if the replica dies, another one takes over after this time. */
const leaseSeconds = 3

/** Stores events to be handled later. No effect on those that are stored already. */
export async function insertDeferredEvents(
  worker: WorkerPool,
  consumer: string,
  events: readonly DeferredEvent[],
): Promise<void> {
  await worker.query({
    name: 'insert_deferred_events',
    text: `INSERT INTO platform.deferred_events
       (consumer, event_id, workspace_id, event, stream_created_at, sequence, subject)
     SELECT $1, event_id, workspace_id, event, coalesce(stream_created_at, 'epoch'), sequence, subject
     FROM unnest($2::text[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::bigint[], $7::text[])
       AS t (event_id, workspace_id, event, stream_created_at, sequence, subject)
     ORDER BY event_id ON CONFLICT DO NOTHING`,
    values: [
      consumer,
      events.map(({ event }) => event.id),
      events.map(({ event }) => event.workspace_id),
      events.map(({ event }) => JSON.stringify(event)),
      events.map(({ metadata }) => metadata.streamCreatedAt),
      events.map(({ metadata }) => metadata.sequence),
      events.map(({ metadata }) => metadata.subject),
    ],
  })
}

/**
 * Returns up to `limit` workspaces with deferred events, in the order of their ids, after the given one. Finds each by
 * one look at the index, however many events it has.
 */
export async function findDeferringWorkspaces(
  worker: WorkerPool,
  consumer: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await worker.query<{ workspaceId: string }>(
    `WITH RECURSIVE deferring AS (
       (SELECT workspace_id, 1 AS position FROM platform.deferred_events
        WHERE consumer = $1 AND workspace_id > $2 ORDER BY workspace_id LIMIT 1)
       UNION ALL
       SELECT next.workspace_id, deferring.position + 1 FROM deferring CROSS JOIN LATERAL (
         SELECT workspace_id FROM platform.deferred_events
         WHERE consumer = $1 AND workspace_id > deferring.workspace_id ORDER BY workspace_id LIMIT 1
       ) next WHERE deferring.position < $3
     ) SELECT workspace_id FROM deferring`,
    [consumer, after, limit],
  )
  return rows.map((row) => row.workspaceId)
}

/** Leases up to `limit` events of a workspace, in the order of the stream. */
export async function leaseDeferredEvents(
  worker: WorkerPool,
  consumer: string,
  workspaceId: string,
  limit: number,
): Promise<DeferredEvent[]> {
  const { rows } = await worker.query<{
    event: DomainEvent
    streamCreatedAt: string | null
    sequence: string
    subject: string | null
  }>(
    `UPDATE platform.deferred_events SET leased_until = now() + make_interval(secs => $4)
     WHERE consumer = $1 AND event_id IN (
       SELECT event_id FROM platform.deferred_events
       WHERE consumer = $1 AND workspace_id = $2 AND leased_until <= now()
       ORDER BY stream_created_at, sequence LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING event, sequence::text, subject,
       to_char(nullif(stream_created_at, 'epoch') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS stream_created_at`,
    [consumer, workspaceId, limit, leaseSeconds],
  )
  return rows.map(({ event, streamCreatedAt, sequence, subject }) => ({
    event,
    metadata: { sequence: Number(sequence), redelivered: true, isDeferred: true, subject, streamCreatedAt },
  }))
}

/** Renews the leases of events in progress that end within two seconds. */
export async function renewDeferredEvents(
  worker: WorkerPool,
  consumer: string,
  eventIds: readonly string[],
): Promise<void> {
  await worker.query(
    `UPDATE platform.deferred_events SET leased_until = now() + make_interval(secs => $3)
     WHERE consumer = $1 AND event_id = ANY ($2) AND leased_until < now() + interval '2 seconds'`,
    [consumer, eventIds, leaseSeconds],
  )
}

/** Ends the lease of an event after a pause. */
export async function releaseDeferredEvent(
  worker: WorkerPool,
  consumer: string,
  eventId: string,
  pauseMs: number,
): Promise<void> {
  await worker.query(
    `UPDATE platform.deferred_events SET leased_until = now() + make_interval(secs => $3::float8 / 1000)
     WHERE consumer = $1 AND event_id = $2`,
    [consumer, eventId, pauseMs],
  )
}

/** Deletes events that have been handled. @param database a pool, or a transaction */
export async function deleteDeferredEvents(
  database: { query(text: string, values: unknown[]): Promise<unknown> },
  consumer: string,
  eventIds: readonly string[],
): Promise<void> {
  await database.query('DELETE FROM platform.deferred_events WHERE consumer = $1 AND event_id = ANY ($2)', [
    consumer,
    eventIds,
  ])
}

/**
 * Returns the SQL condition that a consumer has deferred no event of a workspace before a position of the stream. Such
 * an event is acknowledged, so the watermark has passed it, but its effect is not written yet.
 *
 * @param position SQL expressions
 */
export const followsNoDeferredEvent = (
  consumer: string,
  position: { workspaceId: string; streamCreatedAt: string; sequence: string },
): string =>
  `NOT EXISTS (SELECT FROM platform.deferred_events deferred
     WHERE deferred.consumer = '${consumer}' AND deferred.workspace_id = ${position.workspaceId}
       AND (deferred.stream_created_at, deferred.sequence) < (${position.streamCreatedAt}, ${position.sequence}))`
