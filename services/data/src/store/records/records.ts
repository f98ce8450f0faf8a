import { type Page, problem } from '@wp/contracts'
import { afterCursor, paginate, type Query } from '@wp/database'
import type { Db } from '../client.ts'
import type { SourceKey } from '../sources/sources.ts'
import { findSource, type Source } from '../sources/sources.ts'

/** A row of `data_records`. */
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

/** Returns one page of the records of a source, newest first. */
export async function findRecords(
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
  return { items: items.map(toRecord), nextCursor }
}

/**
 * Returns a record and its source.
 * @throws Problem `not_found`; also for a record of a deleted source that is not purged yet
 */
export async function findRecord(
  db: Db,
  workspaceId: string,
  recordId: string,
): Promise<{ record: SourceRecord; source: Source }> {
  const row = await db.dataRecord.findFirst({ where: { workspaceId, recordId } })
  if (row === null) throw problem('not_found')
  return { record: toRecord(row), source: await findSource(db, workspaceId, row.dataSourceId) }
}

/** Deletes up to 10,000 records of a deleted source. @returns the number of deleted rows */
export async function deleteRecordsBatch(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<number> {
  const deleted = await query(
    `DELETE FROM data_records WHERE record_id IN (
       SELECT record_id FROM data_records WHERE workspace_id = $1 AND data_source_id = $2 LIMIT 10000)
     RETURNING 1`,
    [workspaceId, dataSourceId],
  )
  return deleted.length
}

type RecordRow = Awaited<ReturnType<Db['dataRecord']['findFirstOrThrow']>>

const toRecord = (row: RecordRow): SourceRecord => ({
  ...row,
  data: row.data as Record<string, unknown>, // only objects are stored
})
