import type { Schedule } from '@wp/contracts'
import type { Database, Transaction } from '@wp/database'

/** A source whose schedule is due. */
export interface DueSource {
  workspaceId: string
  dataSourceId: string
}

/** Of all workspaces, the longest waiting first. */
export async function listDueSources(worker: Database['worker'], now: Date, limit: number): Promise<DueSource[]> {
  const { rows } = await worker.query<DueSource>(
    `SELECT workspace_id AS "workspaceId", data_source_id AS "dataSourceId" FROM data_sources
      WHERE next_sync_at <= $1 AND status <> 'paused' ORDER BY next_sync_at LIMIT $2`,
    [now, limit],
  )
  return rows
}

/** Takes a source that is still due for the rest of the transaction; nothing where somebody else is at it. */
export async function lockDueSource(
  { query, workspaceId }: Transaction,
  dataSourceId: string,
  now: Date,
): Promise<{ schedule: Schedule; nextSyncAt: Date } | undefined> {
  const [source] = await query<{ schedule: Schedule; nextSyncAt: Date }>(
    `SELECT schedule, next_sync_at AS "nextSyncAt" FROM data_sources
      WHERE workspace_id = $1 AND data_source_id = $2 AND next_sync_at <= $3 AND status <> 'paused'
      FOR UPDATE SKIP LOCKED`,
    [workspaceId, dataSourceId, now],
  )
  return source
}

/** Says when a source is due next. */
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
