import type { Query } from '@wp/database'

/** Selects dead letters; all given conditions must match. */
export interface RedriveFilter {
  /** Name of a consumer, `<service>_<purpose>`, or `relay`. */
  consumer?: string
  eventId?: string
}

export interface DeadLetter {
  consumer: string
  eventId: string
  kind: string | null
  workspaceId: string
  failures: number
  error: string
  diedAt: Date
}

const matching = `died_at IS NOT NULL AND ($1::text IS NULL OR consumer = $1) AND ($2::text IS NULL OR event_id = $2)`

/**
 * Returns dead letters, oldest first.
 *
 * @param query of the worker role, which sees all workspaces
 */
export function listDeadLetters(
  query: Query,
  { consumer, eventId }: RedriveFilter,
  limit = 100,
): Promise<DeadLetter[]> {
  return query<DeadLetter>(
    `SELECT consumer, event_id, content->>'kind' AS kind, workspace_id, failures, error, died_at
     FROM platform.dead_events WHERE ${matching} ORDER BY died_at LIMIT $3`,
    [consumer ?? null, eventId ?? null, limit],
  )
}

/**
 * Puts dead letters back with their attempts reset. Consumers handle them within seconds; events that were too large
 * for the broker are published again.
 *
 * @param query of the worker role, which sees all workspaces
 * @returns the number of dead letters put back
 */
export async function redrive(query: Query, { consumer, eventId }: RedriveFilter): Promise<number> {
  const values = [consumer ?? null, eventId ?? null]
  const requeued = await query(
    `UPDATE platform.dead_events SET failures = 0, died_at = NULL, redrive_at = now()
     WHERE ${matching} AND consumer <> 'relay' RETURNING 1`,
    values,
  )
  const republished = await query(
    `WITH deleted AS (
       DELETE FROM platform.dead_events WHERE ${matching} AND consumer = 'relay' RETURNING event_id
     )
     UPDATE platform.outbox SET published_at = NULL FROM deleted WHERE id = deleted.event_id RETURNING 1`,
    values,
  )
  return requeued.length + republished.length
}
