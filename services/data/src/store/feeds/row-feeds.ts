import { maxRowFeeds, problem } from '@wp/contracts'
import type { Cursor, Query, Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { RowFeed as RowFeedModel } from '#db'
import type { LockedSource } from '../sources/locked-source.ts'
import type { SourceKey } from '../sources/sources.ts'

/** Identifies a feed. */
export interface FeedKey extends SourceKey, Row<RowFeedModel, 'feedId'> {}

/** A feed whose row is locked. */
export interface RowFeed extends FeedKey, Row<RowFeedModel, 'generation' | 'fields' | 'pageId'> {
  /** Position of the last record read in the order of creation; null before the first. */
  readTo: Cursor | null
  /** The last page is stored, because it is not acknowledged. */
  hasPage: boolean
}

/** A change of a record since the subscriber has last received it. Cells are in the order of the fields, as stored. */
export interface RowChange {
  /** Null if the subscriber does not have the record. */
  previous: unknown[] | null
  /** Null if the record was deleted. */
  current: unknown[] | null
}

/** Retention of feeds whose changes are not read. Their changes are deleted by a trigger, so a batch has few feeds. */
export const feedRetention: RetentionRule = {
  table: 'row_feeds',
  column: 'last_read_at',
  period: '30 days',
  // A source may well not change for longer, and its next change is announced to the readers of its feeds.
  condition: 'EXISTS (SELECT FROM row_changes WHERE row_changes.generation = row_feeds.generation)',
  batchRows: 10,
}

/**
 * Returns the feed, and creates it or starts it again if there is none with these fields. The lock of the source ends
 * the transactions that write records without knowing the feed.
 * @throws Problem `conflict` if the source has too many feeds
 */
export async function openFeed(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  feedId: string,
  fields: readonly string[],
): Promise<Row<RowFeedModel, 'generation'>> {
  const key = [workspaceId, dataSourceId]
  const [same] = await query<Row<RowFeedModel, 'generation'>>(
    `SELECT generation FROM row_feeds
      WHERE workspace_id = $1 AND data_source_id = $2 AND feed_id = $3 AND fields = $4::text[]`,
    [...key, feedId, fields],
  )
  if (same !== undefined) return same
  await closeFeed(query, { workspaceId, dataSourceId, feedId })
  const [created] = await query<Row<RowFeedModel, 'generation'>>(
    `INSERT INTO row_feeds (workspace_id, data_source_id, feed_id, fields)
     SELECT $1, $2, $3, $4::text[]
      WHERE (SELECT count(*) FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2) < ${maxRowFeeds}
     RETURNING generation`,
    [...key, feedId, fields],
  )
  if (created === undefined)
    throw problem('conflict', { detail: `The data source has ${maxRowFeeds} feeds already; close one first` })
  return created
}

/** Returns true if a source has feeds. */
export async function hasFeeds(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<boolean> {
  const rows = await query('SELECT FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2 LIMIT 1', [
    workspaceId,
    dataSourceId,
  ])
  return rows.length > 0
}

/** Deletes a feed; a trigger deletes its changes. Writers of the source wait. */
export const closeFeed = (query: Query, { workspaceId, dataSourceId, feedId }: FeedKey): Promise<unknown> =>
  query('DELETE FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2 AND feed_id = $3', [
    workspaceId,
    dataSourceId,
    feedId,
  ])

/**
 * Locks a feed of a locked source until the end of the transaction, after the writers that have recorded changes.
 * @throws Problem `not_found`
 */
export async function lockFeed(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  feedId: string,
): Promise<RowFeed> {
  const [row] = await query<LockedRow>(
    `SELECT generation, workspace_id, data_source_id, feed_id, fields, page_id, page IS NOT NULL AS has_page,
            read_to_created_at, read_to_record_id
       FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2 AND feed_id = $3 FOR UPDATE`,
    [workspaceId, dataSourceId, feedId],
  )
  if (row === undefined) throw problem('not_found', { detail: 'The feed is not open' })
  const { readToCreatedAt: createdAt, readToRecordId: id, ...feed } = row
  return { ...feed, readTo: createdAt === null || id === null ? null : { createdAt, id } }
}

type LockedRow = Omit<RowFeed, 'readTo'> & Row<RowFeedModel, 'readToCreatedAt' | 'readToRecordId'>

/** Returns the rows of the last page of a locked feed, and records that it is read. */
export async function readLastPage(query: Query, { generation }: RowFeed): Promise<RowChange[]> {
  const [row] = await query<{ page: RowChange[] | null }>(
    'UPDATE row_feeds SET last_read_at = now() WHERE generation = $1 RETURNING page',
    [generation],
  )
  return row?.page ?? []
}

/** Stores the next page of a locked feed in place of the last one; undefined if it is empty. */
export async function savePage(
  query: Query,
  { generation }: RowFeed,
  { pageId, page, readTo }: Pick<RowFeed, 'pageId' | 'readTo'> & { page: readonly RowChange[] | undefined },
): Promise<void> {
  await query(
    `UPDATE row_feeds SET page_id = $2, page = $3, read_to_created_at = $4, read_to_record_id = $5, last_read_at = now()
      WHERE generation = $1`,
    [
      generation,
      pageId,
      page === undefined ? null : JSON.stringify(page),
      readTo?.createdAt ?? null,
      readTo?.id ?? null,
    ],
  )
}

/** Deletes up to 10,000 changes, or else a feed, of a deleted source. @returns the number of deleted rows */
export async function deleteFeedsBatch(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<number> {
  const changes = await query(
    `DELETE FROM row_changes WHERE (generation, record_id) IN (
       SELECT generation, record_id FROM row_changes
        WHERE generation IN (SELECT generation FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2)
        LIMIT 10000)
     RETURNING 1`,
    [workspaceId, dataSourceId],
  )
  if (changes.length > 0) return changes.length
  const feeds = await query('DELETE FROM row_feeds WHERE workspace_id = $1 AND data_source_id = $2 RETURNING 1', [
    workspaceId,
    dataSourceId,
  ])
  return feeds.length
}
