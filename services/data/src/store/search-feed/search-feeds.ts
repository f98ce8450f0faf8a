import { type Database, inWorkerTransaction, type Row } from '@wp/database'
import type { DataRecord, SearchFeed as SearchFeedModel } from '#db'

type WorkerPool = Database['worker']

/** An index of the search engine that receives every change. */
export type SearchFeed = Row<SearchFeedModel, 'indexName' | 'filledTo' | 'isFilled'>

/** Lists the indexes, the oldest first. Changes of records are recorded if there is one. */
export async function listSearchFeeds(pool: WorkerPool): Promise<SearchFeed[]> {
  const { rows } = await pool.query<SearchFeed>(
    `SELECT index_name, filled_to, is_filled FROM search_feeds
      ORDER BY created_at, index_name`,
  )
  return rows
}

/**
 * Registers an index: every change of a transaction that writes after this one is recorded. Waits for the transactions
 * that write records, because they may have found no index. The migrator's limit of 3 seconds for locks applies here,
 * too: waiting writers would hold up uploads.
 */
export async function addSearchFeed(pool: WorkerPool, indexName: string): Promise<void> {
  await inWorkerTransaction(
    pool,
    async (client) => {
      await client.query('LOCK TABLE data_records, record_chunks, embedding_changes IN SHARE ROW EXCLUSIVE MODE')
      await client.query('INSERT INTO search_feeds (index_name) VALUES ($1)', [indexName])
    },
    { settings: "SET LOCAL lock_timeout = '3s'" },
  )
}

/** Records how far an index is filled. */
export async function saveFillProgress(pool: WorkerPool, { indexName, filledTo, isFilled }: SearchFeed): Promise<void> {
  await pool.query('UPDATE search_feeds SET filled_to = $2, is_filled = $3 WHERE index_name = $1', [
    indexName,
    filledTo,
    isFilled,
  ])
}

/** Removes an index. Without a further one, changes are no longer recorded, and those that wait are deleted. */
export async function removeSearchFeed(pool: WorkerPool, indexName: string): Promise<void> {
  await pool.query('DELETE FROM search_feeds WHERE index_name = $1', [indexName])
  await pool.query('DELETE FROM search_changes WHERE NOT EXISTS (SELECT FROM search_feeds)')
}

export type RecordOwner = Row<DataRecord, 'recordId' | 'workspaceId'>

/** Lists records of all workspaces by id, after another id. */
export async function listRecordsAfter(pool: WorkerPool, after: string, limit: number): Promise<RecordOwner[]> {
  const { rows } = await pool.query<RecordOwner>(
    `SELECT record_id, workspace_id FROM data_records
      WHERE record_id > $1 ORDER BY record_id LIMIT $2`,
    [after, limit],
  )
  return rows
}
