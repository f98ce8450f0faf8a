import type { DomainEvent } from '@wp/contracts'
import { type Database, inWorkerTransaction, type Query, type Row } from '@wp/database'
import { durableName, followsNoDeferredEvent, type Watermark } from '@wp/events'
import type { DestinationEvent } from '#db'
import type { StreamPosition } from '../deliveries/enqueue.ts'

/** Position in the log of a workspace. */
export interface LogPosition {
  workspaceId: string
  seq: number
}

/** Returns which of these workspaces have an event destination for events, also a disabled one. */
export async function findLoggedWorkspaces(query: Query, workspaceIds: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ workspaceId: string }>(
    `SELECT DISTINCT workspace_id FROM event_destinations WHERE workspace_id = ANY ($1) AND content = 'events'`,
    [workspaceIds],
    'find_logged_workspaces',
  )
  return new Set(rows.map(({ workspaceId }) => workspaceId))
}

export interface NewLogEvent {
  event: DomainEvent
  body: Buffer
  position: StreamPosition
}

/** Adds events to the logs of their workspaces, without a position. An event that is there already stays unchanged. */
export async function insertLogEvents(query: Query, events: readonly NewLogEvent[]): Promise<void> {
  await query(
    `INSERT INTO destination_events (event_id, workspace_id, event_kind, body, occurred_at, stream_created_at, sequence)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[], $6::timestamptz[], $7::bigint[])
     ON CONFLICT (event_id) DO NOTHING`,
    [
      events.map(({ event }) => event.id),
      events.map(({ event }) => event.workspace_id),
      events.map(({ event }) => event.kind),
      events.map(({ body }) => body),
      events.map(({ event }) => event.occurred_at),
      events.map(({ position }) => position.streamCreatedAt ?? new Date(0)),
      events.map(({ position }) => position.sequence),
    ],
    'insert_log_events',
  )
}

/** Returns workspaces with events that have no position yet, and the time of the database before it looked. */
export async function findWithoutPosition(
  pool: Database['worker'],
  limit: number,
): Promise<{ workspaceIds: string[]; queriedAt: Date }> {
  const { rows } = await pool.query<{ workspaceId: string; queriedAt: Date }>(
    `SELECT DISTINCT workspace_id, now() AS queried_at FROM destination_events WHERE seq IS NULL LIMIT $1`,
    [limit],
  )
  return { workspaceIds: rows.map(({ workspaceId }) => workspaceId), queriedAt: rows[0]?.queriedAt ?? new Date(0) }
}

/**
 * Gives events of a workspace their positions, in the order of the stream, once no earlier event can follow: those at
 * or below the watermark, and all that were here before the broker was queried if it has nothing left. The second rule
 * is for a broker that lost its newest messages and continues at a lower sequence.
 *
 * A position is given once. A cursor over it misses nothing, whatever happens to the stream: an event that arrives late
 * gets a later position.
 *
 * @param queriedAt the database's time before the watermark was read
 */
export async function assignPositions(
  pool: Database['worker'],
  workspaceId: string,
  { streamCreatedAt, sequence, isCaughtUp }: Watermark,
  queriedAt: Date,
): Promise<void> {
  await inWorkerTransaction(pool, async (_client, query) => {
    // Locked by a statement of its own: the next one then sees what another replica has assigned.
    await query(
      `INSERT INTO destination_log_heads (workspace_id, content, seq) VALUES ($1, 'events', 0)
       ON CONFLICT (workspace_id, content) DO UPDATE SET seq = destination_log_heads.seq`,
      [workspaceId],
    )
    await query(
      `WITH numbered AS (
         SELECT event_id, row_number() OVER (ORDER BY stream_created_at, sequence, event_id) AS number
         FROM destination_events e
         WHERE workspace_id = $1 AND seq IS NULL AND ${isSettled}
         ORDER BY stream_created_at, sequence, event_id LIMIT ${maxAssigned}
       ), assigned AS (
         UPDATE destination_events e SET seq = head.seq + numbered.number
         FROM numbered, (SELECT seq FROM destination_log_heads WHERE workspace_id = $1 AND content = 'events') head
         WHERE e.event_id = numbered.event_id RETURNING e.seq
       )
       UPDATE destination_log_heads SET seq = (SELECT max(seq) FROM assigned)
       WHERE workspace_id = $1 AND content = 'events' AND EXISTS (SELECT FROM assigned)`,
      [workspaceId, streamCreatedAt, sequence, isCaughtUp, queriedAt],
    )
  })
}

const maxAssigned = 5_000

const isSettled = `((e.stream_created_at, e.sequence) <= ($2::timestamptz, $3::bigint) OR ($4 AND e.created_at < $5))
  AND ${followsNoDeferredEvent(durableName('webhook-delivery', 'deliveries'), {
    workspaceId: 'e.workspace_id',
    streamCreatedAt: 'e.stream_created_at',
    sequence: 'e.sequence',
  })}`

export interface LogEvent extends Row<DestinationEvent, 'eventId' | 'eventKind' | 'occurredAt'> {
  seq: number
  body: Buffer
}

/** Reads the events of a workspace after a position, at most up to `to`. */
export async function readLogEvents(
  pool: Database['worker'],
  workspaceId: string,
  { after, to, limit }: { after: number; to: number; limit: number },
): Promise<LogEvent[]> {
  const { rows } = await pool.query<LogEvent>(
    `SELECT seq, event_id, event_kind, body, occurred_at FROM destination_events
     WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4`,
    [workspaceId, after, to, limit],
  )
  return rows
}

/** Returns the positions of the oldest event that is kept, of the newest one, and of the first from a time on. */
export async function findEventPositions(
  query: Query,
  workspaceId: string,
  since: string | undefined,
): Promise<{ oldest: number; head: number; firstSince: number }> {
  const [row] = await query<{ oldest: number | null; head: number | null; firstSince: number | null }>(
    `SELECT (SELECT seq FROM destination_log_heads WHERE workspace_id = $1 AND content = 'events') AS head,
       (SELECT min(seq) FROM destination_events WHERE workspace_id = $1) AS oldest,
       (SELECT min(seq) FROM destination_events WHERE workspace_id = $1 AND occurred_at >= $2) AS first_since`,
    [workspaceId, since ?? null],
  )
  const head = row?.head ?? 0
  return { oldest: row?.oldest ?? head + 1, head, firstSince: row?.firstSince ?? head + 1 }
}
