import { type Page, problem } from '@wp/contracts'
import { afterCursor, paginate, type Query, type ScopedClient } from '@wp/database'
import type { PrismaClient } from '#db'
import { deleteIndexBatch } from '../search/write-index.ts'
import { deletePartsBatch } from '../sources/source-parts.ts'
import { findSource, type Source } from '../sources/sources.ts'

type Db = ScopedClient<PrismaClient>

/** A record as it is kept. */
export interface SourceRecord {
  recordId: string
  dataSourceId: string
  key: string
  data: Record<string, unknown>
  title: string | null
  url: string | null
  createdAt: Date
  updatedAt: Date
}

export interface RecordFilter {
  limit: number
  cursor?: string | undefined
  key?: string | undefined
}

/** One page of a source's records, newest first. */
export async function listRecords(
  db: Db,
  workspaceId: string,
  dataSourceId: string,
  { limit, cursor, key }: RecordFilter,
): Promise<Page<SourceRecord>> {
  const rows = await db.dataRecord.findMany({
    where: { workspaceId, dataSourceId, ...(key === undefined ? {} : { key }), ...afterCursor(cursor, 'recordId') },
    orderBy: [{ createdAt: 'desc' }, { recordId: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, ({ createdAt, recordId: id }) => ({ createdAt, id }))
  return { items: items.map(asRecord), nextCursor }
}

/**
 * A record, with the source it is of.
 * @throws Problem `not_found`, also for what a deleted source has left to be removed
 */
export async function findRecord(
  db: Db,
  workspaceId: string,
  recordId: string,
): Promise<{ record: SourceRecord; source: Source }> {
  const row = await db.dataRecord.findFirst({ where: { workspaceId, recordId } })
  if (row === null) throw problem('not_found')
  return { record: asRecord(row), source: await findSource(db, workspaceId, row.dataSourceId) }
}

/**
 * Removes some of what a deleted source left behind: first its records, then its parts and its index.
 * @returns how many rows, 0 when none were left
 */
export async function deleteSourceDataBatch(query: Query, workspaceId: string, dataSourceId: string): Promise<number> {
  const removed = await query(
    `DELETE FROM data_records WHERE record_id IN (
       SELECT record_id FROM data_records WHERE workspace_id = $1 AND data_source_id = $2 LIMIT 10000)
     RETURNING 1`,
    [workspaceId, dataSourceId],
  )
  if (removed.length > 0) return removed.length
  const parts = await deletePartsBatch(query, { workspaceId, dataSourceId })
  return parts > 0 ? parts : await deleteIndexBatch(query, workspaceId, dataSourceId)
}

type RecordRow = Awaited<ReturnType<Db['dataRecord']['findFirstOrThrow']>>

const asRecord = (row: RecordRow): SourceRecord => ({
  ...row,
  data: row.data as Record<string, unknown>, // only objects are stored
})
