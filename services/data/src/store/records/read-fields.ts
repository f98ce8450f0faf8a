import { decodeCursor, encodeCursor, type Query } from '@wp/database'

export interface FieldsPage {
  rows: unknown[][]
  after: string | null
}

/** A page ends early when its values exceed this, so that wide records do not fill the memory. */
const maxPageBytes = 8 * 1024 * 1024

/** Chosen fields of a source's records, oldest first, null where a record has no such field. */
export async function readFields(
  query: Query,
  workspaceId: string,
  dataSourceId: string,
  { fields, after, limit }: { fields: readonly string[]; after?: string | undefined; limit: number },
): Promise<FieldsPage> {
  const last = after === undefined ? undefined : decodeCursor(after)
  const values = [workspaceId, dataSourceId, limit, maxPageBytes, ...(last ? [last.createdAt, last.id] : []), ...fields]
  const cells = fields.map((_, place) => `data -> $${values.length - fields.length + place + 1}::text`).join(', ')
  const found = await query<{ record_id: string; created_at: Date; cells: unknown[]; more: boolean }>(
    `SELECT record_id, created_at, cells, place < fetched AS more FROM (
       SELECT *, row_number() OVER stored AS place, sum(octet_length(cells::text)) OVER stored AS bytes,
              count(*) OVER () AS fetched
         FROM (
           SELECT record_id, created_at, jsonb_build_array(${cells}) AS cells
             FROM data_records
            WHERE workspace_id = $1 AND data_source_id = $2
              ${last === undefined ? '' : 'AND (created_at, record_id) > ($5, $6)'}
            ORDER BY created_at, record_id LIMIT $3 + 1
         ) AS page
       WINDOW stored AS (ORDER BY created_at, record_id)
     ) AS measured
     WHERE place = 1 OR (place <= $3 AND bytes <= $4)
     ORDER BY created_at, record_id`,
    values,
  )
  const end = found.at(-1)
  return {
    rows: found.map(({ cells }) => cells),
    after: end?.more === true ? encodeCursor({ createdAt: end.created_at, id: end.record_id }) : null,
  }
}
