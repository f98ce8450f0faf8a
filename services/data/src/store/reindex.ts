import { decodeCursor, encodeCursor, type Query } from '@wp/database'
import { type Fields, mergeFields, noteRow, type StoredFields } from '../schema/fields.ts'
import { labelsOf } from '../upload/draft.ts'
import type { LockedSource } from './sources.ts'

export interface Step {
  seen: number
  updated: number
  /** The last record of this step; absent when there was none left. */
  cursor: string | undefined
}

const stepRows = 1000
/** As they lie compressed on disk. */
const stepBytes = 4 * 1024 * 1024

interface StoredRow {
  record_id: string
  created_at: Date
  data: Record<string, unknown>
}

/**
 * Derives title, address and text of some records anew and takes note of what their fields hold. The first step (no
 * cursor) forgets what an earlier sync that did not come to its end had gathered.
 */
export async function reindexSome(query: Query, source: LockedSource, cursor: string | undefined): Promise<Step> {
  const { workspaceId, dataSourceId, config } = source
  const last = cursor === undefined ? undefined : decodeCursor(cursor)
  await query('SET LOCAL enable_sort = off') // as in index-order.ts
  const rows = await query<StoredRow>(
    `SELECT record_id, created_at, data FROM (
       SELECT *, row_number() OVER stored AS place, sum(pg_column_size(data)) OVER stored AS bytes FROM (
         SELECT record_id, created_at, data FROM data_records
          WHERE workspace_id = $1 AND data_source_id = $2 ${last ? 'AND (created_at, record_id) > ($5, $6)' : ''}
          ORDER BY created_at, record_id LIMIT $3
       ) AS next WINDOW stored AS (ORDER BY created_at, record_id)
     ) AS measured WHERE place = 1 OR bytes <= $4 ORDER BY created_at, record_id`,
    [workspaceId, dataSourceId, stepRows, stepBytes, ...(last ? [last.createdAt, last.id] : [])],
  )
  const seen: Fields = new Map()
  for (const { data } of rows) noteRow(seen, data)
  await gather(query, source, mergeFields((last && source.fieldsAnew) ?? [], seen))
  const labels = rows.map(({ data }) => labelsOf(data, config))
  const changed = await query(
    `UPDATE data_records AS stored
        SET title = derived.title, url = derived.url, text = derived.text, updated_at = now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS derived (record_id, title, url, text)
      WHERE stored.workspace_id = $1 AND stored.record_id = derived.record_id
        AND (stored.title, stored.url, stored.text) IS DISTINCT FROM (derived.title, derived.url, derived.text)
     RETURNING 1`,
    [
      workspaceId,
      rows.map(({ record_id }) => record_id),
      labels.map(({ title }) => title),
      labels.map(({ url }) => url),
      labels.map(({ text }) => text),
    ],
  )
  const end = rows.at(-1)
  return {
    seen: rows.length,
    updated: changed.length,
    cursor: end && encodeCursor({ createdAt: end.created_at, id: end.record_id }),
  }
}

async function gather(query: Query, source: LockedSource, fields: StoredFields): Promise<void> {
  if (fields === source.fieldsAnew) return
  await query('UPDATE data_sources SET fields_anew = $3 WHERE workspace_id = $1 AND data_source_id = $2', [
    source.workspaceId,
    source.dataSourceId,
    JSON.stringify(fields),
  ])
}
