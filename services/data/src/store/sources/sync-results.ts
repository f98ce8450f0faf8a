import type { Query } from '@wp/database'
import type { SourceError, SourceKey } from './sources.ts'

/**
 * Records on a locked source that a sync or an upload finished, and clears its last error.
 * @param syncId null for an upload without a sync
 * @param adoptPendingFields replaces the observed fields by those the sync saw
 */
export async function recordSyncSuccess(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  syncId: string | null,
  { adoptPendingFields = false }: { adoptPendingFields?: boolean } = {},
): Promise<void> {
  await query(
    `UPDATE data_sources
        SET last_synced_at = now(), last_sync_id = coalesce($3, last_sync_id), last_error = NULL,
            status = CASE status WHEN 'error' THEN 'active' ELSE status END,
            fields = CASE WHEN $4 THEN coalesce(pending_fields, fields) ELSE fields END,
            pending_fields = CASE WHEN $4 THEN NULL ELSE pending_fields END,
            previous_fields = CASE WHEN $4 THEN NULL ELSE previous_fields END,
            type_mismatches = CASE WHEN $4 THEN NULL ELSE type_mismatches END
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId, syncId, adoptPendingFields],
  )
}

/** Records why a sync failed. @returns the name of the source; undefined, and nothing is changed, if it was deleted */
export async function recordSyncFailure(
  query: Query,
  { workspaceId, dataSourceId, syncId }: SourceKey & { syncId: string },
  { code, message }: Pick<SourceError, 'code' | 'message'>,
): Promise<string | undefined> {
  const [source] = await query<{ name: string }>(
    `UPDATE data_sources
        SET last_sync_id = $3, status = CASE status WHEN 'active' THEN 'error' ELSE status END,
            last_error = jsonb_build_object('code', $4::text, 'message', $5::text,
              'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      WHERE workspace_id = $1 AND data_source_id = $2 RETURNING name`,
    [workspaceId, dataSourceId, syncId, code, message],
  )
  return source?.name
}
