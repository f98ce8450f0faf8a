import type { Query, Row } from '@wp/database'
import type { InvoiceSchedule as Model } from '#db'

export type InvoiceSchedule = Row<Model, 'invoicedUntil' | 'dueAt'>

/** Adds the schedules of up to `limit` workspaces that subscribed. @returns their number */
export async function addMissingSchedules(query: Query, now: Date, limit: number): Promise<number> {
  const rows = await query(
    `INSERT INTO invoice_schedules (workspace_id, due_at)
       SELECT s.workspace_id, $1 FROM subscriptions s
        WHERE NOT EXISTS (SELECT FROM invoice_schedules i WHERE i.workspace_id = s.workspace_id) LIMIT $2
     ON CONFLICT DO NOTHING RETURNING workspace_id`,
    [now, limit],
  )
  return rows.length
}

/** Returns up to `limit` workspaces whose schedule is due, the longest waiting first. */
export const listDueSchedules = (
  query: Query,
  now: Date,
  limit: number,
): Promise<{ workspaceId: string; shard: string }[]> =>
  query(
    `SELECT i.workspace_id, s.shard FROM invoice_schedules i
       JOIN subscriptions s USING (workspace_id)
      WHERE i.due_at <= $1 ORDER BY i.due_at LIMIT $2`,
    [now, limit],
  )

/** Locks the schedule of a workspace; undefined if another replica has it. */
export async function lockSchedule(query: Query, workspaceId: string): Promise<InvoiceSchedule | undefined> {
  const [row] = await query<InvoiceSchedule>(
    `SELECT invoiced_until, due_at FROM invoice_schedules
      WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED`,
    [workspaceId],
  )
  return row
}

export async function readInvoicedUntil(query: Query, workspaceId: string): Promise<Date | null> {
  const [row] = await query<Pick<InvoiceSchedule, 'invoicedUntil'>>(
    'SELECT invoiced_until FROM invoice_schedules WHERE workspace_id = $1',
    [workspaceId],
  )
  return row?.invoicedUntil ?? null
}

export async function saveSchedule(query: Query, workspaceId: string, schedule: InvoiceSchedule): Promise<void> {
  await query('UPDATE invoice_schedules SET invoiced_until = $2, due_at = $3 WHERE workspace_id = $1', [
    workspaceId,
    schedule.invoicedUntil,
    schedule.dueAt,
  ])
}

/** Looks at a workspace later, because its invoice could not be issued. */
export async function postponeSchedule(query: Query, workspaceId: string, dueAt: Date): Promise<void> {
  await query('UPDATE invoice_schedules SET due_at = $2 WHERE workspace_id = $1', [workspaceId, dueAt])
}
