import type { Query } from '@wp/database'
import { inIndexOrder } from '../index-order.ts'
import type { LockedSource } from './sources.ts'

type SourceKey = Pick<LockedSource, 'workspaceId' | 'dataSourceId'>

/** A record as it is told from others. */
export interface RecordKey {
  recordId: string
  key: string
}

const pageRows = 5_000
const pageHashes = 20_000

/**
 * Some records of one part of a source, or of those that are of none, in the order of their keys.
 * @param after the last key of the page before
 */
export const listRecordKeys = (
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  part: number | undefined,
  after: string,
): Promise<RecordKey[]> =>
  inIndexOrder(query, () =>
    query<RecordKey>(
      `SELECT record_id AS "recordId", key FROM data_records
        WHERE workspace_id = $1 AND data_source_id = $2 AND ${part === undefined ? 'part_id IS NULL' : 'part_id = $5'}
          AND key > $3 ORDER BY key LIMIT $4`,
      [workspaceId, dataSourceId, after, pageRows, ...(part === undefined ? [] : [part])],
    ),
  )

/**
 * The first eight bytes of the SHA-256 of some keys of a source, one after the other, and the last of those keys.
 * @param after the last key of the page before
 */
export async function readKeyHashes(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  after: string,
): Promise<{ hashes: Uint8Array; last: string } | undefined> {
  const [page] = await inIndexOrder(query, () =>
    query<{ hashes: Uint8Array | null; last: string }>(
      `SELECT string_agg(substring(sha256(convert_to(key, 'UTF8')) FOR 8), '') AS hashes, max(key) AS last
         FROM (SELECT key FROM data_records
                WHERE workspace_id = $1 AND data_source_id = $2 AND key > $3 ORDER BY key LIMIT $4) AS page`,
      [workspaceId, dataSourceId, after, pageHashes],
    ),
  )
  return page?.hashes ? { hashes: page.hashes, last: page.last } : undefined
}

/** Where a source was left by the crawls before. */
export interface SavedCursor {
  cursor: string
  /** Whether what is gone was removed up to there. */
  hasAppliedDeletions: boolean
  /** Of the last rows before it, the hashes that were kept with it. */
  recentRowHashes: Uint8Array | null
}

/** Where the next crawl of a source goes on; undefined: at the beginning. */
export async function findSavedCursor(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
): Promise<SavedCursor | undefined> {
  const [place] = await query<SavedCursor>(
    `SELECT cursor, cursor_swept AS "hasAppliedDeletions", cursor_rows AS "recentRowHashes" FROM data_sources
      WHERE workspace_id = $1 AND data_source_id = $2 AND cursor_reading = reading AND cursor IS NOT NULL`,
    [workspaceId, dataSourceId],
  )
  return place
}

/** Keeps where the next crawl of a locked source may go on. */
export async function saveCursor(
  query: Query,
  source: SourceKey,
  { cursor, hasAppliedDeletions: isSwept, recentRowHashes: rows }: SavedCursor,
): Promise<void> {
  await query(
    `UPDATE data_sources SET cursor = $3, cursor_reading = reading, cursor_swept = $4, cursor_rows = $5
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId, cursor, isSwept, rows],
  )
}

/** Notes that a crawl of a locked source has come to its end. */
export async function recordCrawlEnd(
  query: Query,
  source: LockedSource,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  // Not everything was gone through: what was seen is not all there is.
  if (!isWhole) source.pendingFields = null
  await query(
    `UPDATE data_sources SET cursor_rows = NULL, read_as = reading,
            fields_anew = CASE WHEN $3 THEN fields_anew END
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId, isWhole],
  )
}
