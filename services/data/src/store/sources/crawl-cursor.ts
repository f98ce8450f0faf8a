import type { Query } from '@wp/database'
import type { LockedSource } from './locked-source.ts'
import type { SourceKey } from './source-key.ts'

/** The position after the last stored page of a crawl. */
export interface SavedCursor {
  cursor: string
  /** True if records missing from the source were deleted up to this position. */
  hasAppliedDeletions: boolean
  /** Hashes of the last rows before the position, 8 bytes each, to recognize rows that are read again. */
  recentRowHashes: Uint8Array | null
}

/** Returns the cursor of the current generation; undefined: crawl from the beginning. */
export async function findSavedCursor(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
): Promise<SavedCursor | undefined> {
  const [saved] = await query<SavedCursor>(
    `SELECT cursor, cursor_swept AS has_applied_deletions, cursor_rows AS recent_row_hashes FROM data_sources
      WHERE workspace_id = $1 AND data_source_id = $2 AND cursor_reading = reading AND cursor IS NOT NULL`,
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
    `UPDATE data_sources SET cursor = $3, cursor_reading = reading, cursor_swept = $4, cursor_rows = $5
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
    `UPDATE data_sources SET cursor_rows = NULL, read_as = reading,
            fields_anew = CASE WHEN $3 THEN fields_anew END
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId, isComplete],
  )
}
