import { decodeCursor, encodeCursor, type Query, type Row } from '@wp/database'
import type { DataRecord } from '#db'
import { toIndexedText } from '../search/text/unspaced-text.ts'
import { openIndex, segmentWriteCtes, tsvectorOf } from '../search/write-index.ts'
import type { LockedSource } from '../sources/locked-source.ts'
import { type DerivedFields, searchedFields } from './upsert-records.ts'

/** Stored records, oldest first. */
export interface StoredRecords {
  records: { recordId: string; data: Record<string, unknown> }[]
  /** Position of the last record; undefined if there are no records. */
  cursor: string | undefined
}

const maxBatchRows = 1000
/** Compressed size on disk. */
const maxBatchBytes = 4 * 1024 * 1024

interface StoredRow extends Row<DataRecord, 'recordId' | 'createdAt'> {
  data: Record<string, unknown>
}

/** Returns the next records of a locked source: at most 1,000, or 4 MiB on disk, but at least one if there is one. */
export async function readRecordsAfter(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  cursor: string | undefined,
): Promise<StoredRecords> {
  const last = cursor === undefined ? undefined : decodeCursor(cursor)
  await query('SET LOCAL enable_sort = off') // as in record-keys.ts
  const rows = await query<StoredRow>(
    `SELECT record_id, created_at, data FROM (
       SELECT *, row_number() OVER stored AS position, sum(pg_column_size(data)) OVER stored AS bytes FROM (
         SELECT record_id, created_at, data FROM data_records
          WHERE workspace_id = $1 AND data_source_id = $2 ${last ? 'AND (created_at, record_id) > ($5, $6)' : ''}
          ORDER BY created_at, record_id LIMIT $3
       ) AS next WINDOW stored AS (ORDER BY created_at, record_id)
     ) AS measured WHERE position = 1 OR bytes <= $4 ORDER BY created_at, record_id`,
    [workspaceId, dataSourceId, maxBatchRows, maxBatchBytes, ...(last ? [last.createdAt, last.id] : [])],
  )
  const end = rows.at(-1)
  return { records: rows, cursor: end && encodeCursor({ createdAt: end.createdAt, id: end.recordId }) }
}

/**
 * Writes derived columns of records of a locked source and parses their words again.
 * @returns the number of records that changed
 */
export async function updateDerivedFields(
  query: Query,
  source: LockedSource,
  updates: readonly (DerivedFields & { recordId: string })[],
): Promise<number> {
  const { indexId, segment, configuration, nextDocument } = await openIndex(query, source)
  const fields = updates.map((update) => searchedFields(source, update))
  const updated = await query(updateSql, [
    source.workspaceId,
    updates.map(({ recordId }) => recordId),
    fields.map(({ title }) => title),
    fields.map(({ url }) => url),
    fields.map(({ text }) => text),
    indexId,
    segment,
    configuration,
    nextDocument,
    fields.map(({ title }) => toIndexedText(title)),
    fields.map(({ text }) => toIndexedText(text)),
  ])
  return updated.length
}

/**
 * Parses words even if title and text are unchanged, because the language may have changed. Rows are addressed by ctid;
 * it is stable because the source is locked.
 */
const updateSql = `
  WITH derived AS (
    SELECT given.*, stored.ctid AS row, stored.words AS old_words, stored.document AS old_document,
           (stored.title, stored.url, stored.text) IS DISTINCT FROM (given.title, given.url, given.text) AS is_changed,
           ${tsvectorOf('$8', 'coalesce(given.indexed_title, given.title)', 'coalesce(given.indexed_text, given.text)')} AS words
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $10::text[], $11::text[]) WITH ORDINALITY
             AS given (record_id, title, url, text, indexed_title, indexed_text, position)
      CROSS JOIN LATERAL (
        SELECT ctid, title, url, text, words, document FROM data_records AS stored
         WHERE workspace_id = $1 AND record_id = given.record_id LIMIT 1
      ) AS stored
  ), numbered AS MATERIALIZED (
    SELECT *, words IS DISTINCT FROM old_words AS has_new_words,
           coalesce(old_document, CASE WHEN words IS NOT NULL THEN $9 - 1 +
             count(words) FILTER (WHERE old_document IS NULL) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING)
           END)::integer AS document
      FROM derived
  ), written AS (
    UPDATE data_records AS stored
       SET title = numbered.title, url = numbered.url, text = numbered.text, words = numbered.words,
           document = numbered.document, updated_at = CASE WHEN is_changed THEN now() ELSE stored.updated_at END
      FROM numbered
     WHERE stored.ctid = numbered.row AND (is_changed OR has_new_words)
    RETURNING 1
  ), changed AS (
    SELECT document, words, old_words, old_document IS NULL AS is_new FROM numbered WHERE has_new_words
  ), ${segmentWriteCtes('changed', { indexId: '$6::integer', segment: '$7::integer', workspaceId: '$1' })}
  SELECT 1 FROM written`
