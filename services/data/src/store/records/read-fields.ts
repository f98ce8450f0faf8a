import { type Cursor, decodeCursor, encodeCursor, type Query } from '@wp/database'
import type { SourceKey } from '../sources/sources.ts'

/** Field values of records, one array a record, and their ids in the same order. */
export interface FieldsPage {
  rows: unknown[][]
  recordIds: string[]
  /** Cursor of the next page; null on the last. */
  after: string | null
  /** Position of the last row; undefined if there are no rows. */
  end: Cursor | undefined
}

/** A page ends early when its values exceed this size, which bounds memory for wide records. */
export const maxPageBytes = 8 * 1024 * 1024

interface FieldsRequest {
  fields: readonly string[]
  /** Cursor; undefined for the first page. */
  after?: string | undefined
  limit: number
  maxBytes?: number
}

/** Returns selected fields of the records of a source, oldest first; null for a field that a record does not have. */
export async function readFields(
  query: Query,
  workspaceId: string,
  dataSourceId: string,
  { fields, after, limit, maxBytes = maxPageBytes }: FieldsRequest,
): Promise<FieldsPage> {
  const start = after === undefined ? undefined : decodeCursor(after)
  const values = [workspaceId, dataSourceId, limit, maxBytes, ...(start ? [start.createdAt, start.id] : []), ...fields]
  const cells = fields.map((_, column) => `data -> $${values.length - fields.length + column + 1}::text`).join(', ')
  const found = await query<{ recordId: string; createdAt: Date; cells: unknown[]; hasMore: boolean }>(
    `SELECT record_id, created_at, cells, position < fetched AS has_more FROM (
       SELECT *, row_number() OVER stored AS position, sum(octet_length(cells::text)) OVER stored AS bytes,
              count(*) OVER () AS fetched
         FROM (
           SELECT record_id, created_at, jsonb_build_array(${cells}) AS cells
             FROM data_records
            WHERE workspace_id = $1 AND data_source_id = $2
              ${start === undefined ? '' : 'AND (created_at, record_id) > ($5, $6)'}
            ORDER BY created_at, record_id LIMIT $3 + 1
         ) AS page
       WINDOW stored AS (ORDER BY created_at, record_id)
     ) AS measured
     WHERE position = 1 OR (position <= $3 AND bytes <= $4)
     ORDER BY created_at, record_id`,
    values,
  )
  const last = found.at(-1)
  const end = last && { createdAt: last.createdAt, id: last.recordId }
  return {
    rows: found.map(({ cells: row }) => row),
    recordIds: found.map(({ recordId }) => recordId),
    after: end && last?.hasMore === true ? encodeCursor(end) : null,
    end,
  }
}

/** The times of a field, from the first to the last of a file, and the number of its rows with one. */
export interface Period {
  field: string
  first: string
  last: string
  rows: number
}

/** Returns the first and the last time of a field of a source; null if no record has it. Reads all of them. */
export async function findPeriod(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  field: string,
): Promise<Pick<Period, 'first' | 'last'> | null> {
  const [row] = await query<{ first: string | null; last: string | null }>(
    `SELECT min(data ->> $3 COLLATE "C") AS first, max(data ->> $3 COLLATE "C") AS last FROM data_records
      WHERE workspace_id = $1 AND data_source_id = $2 AND data ->> $3 ~ '^\\d{4}-\\d\\d-\\d\\d'`,
    [workspaceId, dataSourceId, field],
  )
  return row?.first == null || row.last == null ? null : { first: row.first, last: row.last }
}

/** Counts the records of a source within a period, up to a limit. Reads all of them. */
export async function countRecordsWithin(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  { field, first, last }: Period,
  limit: number,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM data_records
        WHERE workspace_id = $1 AND data_source_id = $2 AND data ->> $3 COLLATE "C" BETWEEN $4 AND $5
        LIMIT $6
     ) AS within`,
    [workspaceId, dataSourceId, field, first, last, limit],
  )
  return row?.count ?? 0
}
