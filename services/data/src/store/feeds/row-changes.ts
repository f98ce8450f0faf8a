import type { Query } from '@wp/database'
import type { RowChange, RowFeed } from './row-feeds.ts'

export interface TakenChanges {
  rows: RowChange[]
  /** Size of the rows as JSON text in UTF-8. */
  bytes: number
  hasMore: boolean
}

/**
 * Deletes recorded changes of a locked feed and returns them with the records as they are now. Changes that came to
 * nothing are left out.
 * @param maxBytes the rows end before this size, but there is at least one
 */
export async function takeChanges(
  query: Query,
  { generation, workspaceId, fields }: RowFeed,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<TakenChanges> {
  const taken = await query<RowChange & { isChanged: boolean; bytes: number; hasMore: boolean }>(takeSql, [
    generation,
    workspaceId,
    fields,
    limit,
    maxBytes,
  ])
  const last = taken.at(-1)
  return {
    rows: taken.filter(({ isChanged }) => isChanged).map(({ previous, current }) => ({ previous, current })),
    bytes: last?.bytes ?? 0,
    hasMore: last?.hasMore ?? false,
  }
}

/** Records are looked up one by one, as in upsert-records.ts. */
const takeSql = `
  WITH measured AS (
    SELECT record_id, previous, current, row_number() OVER read AS position, count(*) OVER () AS fetched,
           sum(coalesce(octet_length(previous::text), 4) + coalesce(octet_length(current::text), 4)) OVER read AS bytes
      FROM (SELECT record_id, previous FROM row_changes WHERE generation = $1 ORDER BY record_id LIMIT $4 + 1) AS change
      LEFT JOIN LATERAL (
        SELECT to_jsonb(ARRAY(SELECT data -> field FROM unnest($3::text[]) AS field)) AS current
          FROM data_records AS stored WHERE workspace_id = $2 AND stored.record_id = change.record_id LIMIT 1
      ) AS record ON true
    WINDOW read AS (ORDER BY record_id)
  ), taken AS (
    SELECT * FROM measured WHERE position = 1 OR (position <= $4 AND bytes <= $5)
  ), deleted AS (
    DELETE FROM row_changes AS change USING taken
     WHERE change.generation = $1 AND change.record_id = taken.record_id
  )
  SELECT previous, current, previous IS DISTINCT FROM current AS is_changed, bytes::float8 AS bytes,
         position < fetched AS has_more
    FROM taken ORDER BY position`
