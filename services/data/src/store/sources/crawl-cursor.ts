import type { Query, Row } from '@wp/database'
import type { DataSource } from '#db'
import type { LockedSource } from './locked-source.ts'
import type { SourceKey } from './sources.ts'

/** The position after the last stored page of a crawl. */
export interface SavedCursor extends Row<DataSource, 'hasAppliedDeletions'> {
  cursor: string
  /** Hashes of the last rows before the position, 8 bytes each, to recognize rows that are read again. */
  recentRowHashes: Uint8Array | null
}

/** Returns the cursor of the current generation; undefined: crawl from the beginning. */
export async function findSavedCursor(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
): Promise<SavedCursor | undefined> {
  const [saved] = await query<SavedCursor>(
    `SELECT cursor, has_applied_deletions, recent_row_hashes FROM data_sources
      WHERE workspace_id = $1 AND data_source_id = $2 AND cursor_generation = generation AND cursor IS NOT NULL`,
    [workspaceId, dataSourceId],
  )
  return saved
}

/** Saves the cursor of a locked source under its current generation. */
export async function saveCursor(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  { cursor, hasAppliedDeletions, recentRowHashes }: SavedCursor,
): Promise<void> {
  await query(
    `UPDATE data_sources SET cursor = $3, cursor_generation = generation,
            has_applied_deletions = $4, recent_row_hashes = $5
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId, cursor, hasAppliedDeletions, recentRowHashes],
  )
}

/**
 * Records that a crawl of a locked source reached its end. Updates `source`.
 * @param isComplete false discards the pending fields: the crawl did not see every row
 */
export async function recordCrawlEnd(
  query: Query,
  source: LockedSource,
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  if (!isComplete) source.pendingFields = null
  await query(
    `UPDATE data_sources SET recent_row_hashes = NULL, indexed_generation = generation,
            pending_fields = CASE WHEN $3 THEN pending_fields END
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId, isComplete],
  )
}
