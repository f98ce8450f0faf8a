import type { Query, Row } from '@wp/database'
import type { DataRecord } from '#db'
import type { SourceKey } from '../sources/sources.ts'

/** The id and key of a record. */
export type RecordKey = Row<DataRecord, 'recordId' | 'key'>

const keysPerPage = 5_000
const hashesPerPage = 20_000

/**
 * Returns up to 5,000 records in key order.
 * @param partId undefined: records without a part
 * @param after last key of the previous page; first the empty string
 */
export const listRecordKeys = (
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  partId: number | undefined,
  after: string,
): Promise<RecordKey[]> =>
  inIndexOrder(query, () =>
    query<RecordKey>(
      `SELECT record_id, key FROM data_records
        WHERE workspace_id = $1 AND data_source_id = $2
          AND ${partId === undefined ? 'part_id IS NULL AND $5::int IS NULL' : 'part_id = $5'}
          AND key > $3
        ORDER BY key LIMIT $4`,
      [workspaceId, dataSourceId, after, keysPerPage, partId ?? null],
    ),
  )

/** Returns up to 5,000 keys of records after a key, each with the text of a field. */
export const listFieldTexts = (
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  field: string,
  after: string,
): Promise<{ key: string; text: string | null }[]> =>
  inIndexOrder(query, () =>
    query<{ key: string; text: string | null }>(
      `SELECT key, data ->> $5 AS text FROM data_records
        WHERE workspace_id = $1 AND data_source_id = $2 AND key > $3 ORDER BY key LIMIT $4`,
      [workspaceId, dataSourceId, after, keysPerPage, field],
    ),
  )

/** Returns the ids of the records with these keys; keys that no record has are left out. */
export async function findRecordIds(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await query<{ recordId: string }>(
    // One by one, and with a hidden source, as in upsert-records.ts.
    `WITH given AS MATERIALIZED (SELECT $2::text AS source, unnest($3::text[]) AS wanted)
     SELECT record_id FROM given
      CROSS JOIN LATERAL (
        SELECT record_id FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND key = wanted LIMIT 1
      ) AS found`,
    [workspaceId, dataSourceId, keys],
  )
  return rows.map(({ recordId }) => recordId)
}

/**
 * Returns the first 8 bytes of the SHA-256 of up to 20,000 keys, concatenated, and the last of those keys.
 * @param after last key of the previous page; first the empty string
 * @returns undefined if there are no more keys
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
      [workspaceId, dataSourceId, after, hashesPerPage],
    ),
  )
  return page?.hashes ? { hashes: page.hashes, last: page.last } : undefined
}

/**
 * Runs `read` in a read-only transaction with sorts disabled, so that PostgreSQL reads rows in index order. Without
 * it, for a source that has just grown, the planner underestimates the row count and sorts the whole source per page.
 */
export async function inIndexOrder<T>(query: Query, read: () => Promise<T>): Promise<T> {
  await query('BEGIN READ ONLY; SET LOCAL enable_sort = off')
  try {
    return await read()
  } finally {
    await query('COMMIT')
  }
}
