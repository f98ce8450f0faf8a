import type { Schedule } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'
import type { SourceKey } from './sources.ts'

/** Queue that a transaction wakes when it has set when a source is due next. */
export const syncScheduleQueue = 'sync_schedule'

/** Lists sources of all workspaces whose next sync is due until a time, longest overdue first. */
export async function listDueSources(
  worker: Database['worker'],
  until: Date,
  limit: number,
): Promise<(SourceKey & { nextSyncAt: Date })[]> {
  const { rows } = await worker.query<SourceKey & { nextSyncAt: Date }>({
    name: 'list_due_sources',
    text: `SELECT workspace_id, data_source_id, next_sync_at FROM data_sources
      WHERE next_sync_at <= $1 AND status <> 'paused' ORDER BY next_sync_at LIMIT $2`,
    values: [until, limit],
  })
  return rows
}

/**
 * Locks a source until the end of the transaction.
 * @returns undefined if the source is no longer due or another transaction holds it
 */
export async function lockDueSource(
  { query, workspaceId }: Transaction,
  dataSourceId: string,
  now: Date,
): Promise<{ schedule: Schedule; nextSyncAt: Date } | undefined> {
  const [source] = await query<{ schedule: Schedule; nextSyncAt: Date }>(
    `SELECT schedule, next_sync_at FROM data_sources
      WHERE workspace_id = $1 AND data_source_id = $2 AND next_sync_at <= $3 AND status <> 'paused'
      FOR UPDATE SKIP LOCKED`,
    [workspaceId, dataSourceId, now],
  )
  return source
}

/** Sets when the next sync of a source is due; null: never. */
export async function scheduleNextSync(
  { query, workspaceId }: Transaction,
  dataSourceId: string,
  nextSyncAt: Date | null,
): Promise<void> {
  await query('UPDATE data_sources SET next_sync_at = $3 WHERE workspace_id = $1 AND data_source_id = $2', [
    workspaceId,
    dataSourceId,
    nextSyncAt,
  ])
}
