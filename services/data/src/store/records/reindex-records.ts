import { decodeCursor, encodeCursor, type Query } from '@wp/database'
import { deriveFields } from '../../ingest/record-input.ts'
import { createSchemaObserver } from '../../schema/drift.ts'
import { openIndex, segmentWriteCtes, tsvectorOf } from '../search/write-index.ts'
import { mergeObservedSchema } from '../sources/observed-schema.ts'
import type { LockedSource } from '../sources/sources.ts'

export interface ReindexStep {
  seen: number
  updated: number
  /** The last record of this step; absent when there was none left. */
  cursor: string | undefined
}

const maxBatchRows = 1000
/** As they lie compressed on disk. */
const maxBatchBytes = 4 * 1024 * 1024

interface StoredRow {
  record_id: string
  created_at: Date
  data: Record<string, unknown>
}

/**
 * Derives title, address and text of some records anew and takes note of what their fields hold.
 */
export async function reindexBatch(
  query: Query,
  source: LockedSource,
  cursor: string | undefined,
): Promise<ReindexStep> {
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
    [workspaceId, dataSourceId, maxBatchRows, maxBatchBytes, ...(last ? [last.createdAt, last.id] : [])],
  )
  const seen = createSchemaObserver(config)
  for (const { data } of rows) seen.observe(data)
  await mergeObservedSchema(query, source, seen)
  const labels = rows.map(({ data }) => deriveFields(data, config))
  const { indexId, segment, configuration, nextDocument } = await openIndex(query, source)
  const changed = await query(updateSql, [
    workspaceId,
    rows.map(({ record_id }) => record_id),
    labels.map(({ title }) => title),
    labels.map(({ url }) => url),
    labels.map(({ text }) => text),
    indexId,
    segment,
    configuration,
    nextDocument,
  ])
  const end = rows.at(-1)
  return {
    seen: rows.length,
    updated: changed.length,
    cursor: end && encodeCursor({ createdAt: end.created_at, id: end.record_id }),
  }
}

/**
 * The words are found anew even where nothing else changed: the language may have. Rows are where they were found, as
 * the source is locked.
 */
const updateSql = `
  WITH derived AS (
    SELECT given.*, stored.ctid AS row, stored.words AS old_words, stored.document AS old_document,
           (stored.title, stored.url, stored.text) IS DISTINCT FROM (given.title, given.url, given.text) AS is_changed,
           ${tsvectorOf('$8', 'given.title', 'given.text')} AS words
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
             AS given (record_id, title, url, text, place)
      CROSS JOIN LATERAL (
        SELECT ctid, title, url, text, words, document FROM data_records AS stored
         WHERE workspace_id = $1 AND record_id = given.record_id LIMIT 1
      ) AS stored
  ), numbered AS MATERIALIZED (
    SELECT *, words IS DISTINCT FROM old_words AS is_reworded,
           coalesce(old_document, CASE WHEN words IS NOT NULL THEN $9 - 1 +
             count(words) FILTER (WHERE old_document IS NULL) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
           END)::integer AS document
      FROM derived
  ), written AS (
    UPDATE data_records AS stored
       SET title = numbered.title, url = numbered.url, text = numbered.text, words = numbered.words,
           document = numbered.document, updated_at = CASE WHEN is_changed THEN now() ELSE stored.updated_at END
      FROM numbered
     WHERE stored.ctid = numbered.row AND (is_changed OR is_reworded)
    RETURNING 1
  ), changed AS (
    SELECT document, words, old_words, old_document IS NULL AS is_new FROM numbered WHERE is_reworded
  ), ${segmentWriteCtes('changed', { indexId: '$6::integer', segment: '$7::integer', workspaceId: '$1' })}
  SELECT 1 FROM written`
