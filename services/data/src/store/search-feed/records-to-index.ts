import type { SearchLanguage, SourceConfig } from '@wp/contracts'
import type { Database, Row } from '@wp/database'
import type { DataRecord } from '#db'

type WorkerPool = Database['worker']

/** The parts of a record that the search engine gets. */
export interface RecordToIndex extends Row<DataRecord, 'recordId' | 'workspaceId' | 'dataSourceId' | 'title' | 'text'> {
  data: Record<string, unknown>
  language: SearchLanguage | null
  declarations: Pick<SourceConfig, 'fields' | 'timestamp_field'>
  /** The space of the embeddings; null if there are none that match the text. */
  space: string | null
  /** Vectors in base64. */
  chunks: { start: number; length: number; vector: string }[]
}

/** Limits what is held in memory, as stored: about 16 MiB as documents. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * Reads records of all workspaces in the order of `ids`. Deleted ones, and those of deleted or restricted
 * sources, are left out.
 * @returns also the number of ids that were read: fewer than given if the records are large
 */
export async function readRecordsToIndex(
  pool: WorkerPool,
  ids: readonly string[],
): Promise<{ records: RecordToIndex[]; read: number }> {
  const { rows } = await pool.query<RecordToIndex & { position: number }>(recordsSql, [ids, maxPageBytes])
  const { rows: sizes } = await pool.query<{ read: number }>(sizesSql, [ids, maxPageBytes])
  return { records: rows.map(({ position, ...record }) => record), read: sizes[0]?.read ?? ids.length }
}

/** Ids with the size of all records up to and including each. */
const measured = `
  SELECT id, nth, sum(coalesce(size, 0)) OVER (ORDER BY nth) - coalesce(size, 0) AS before
    FROM unnest($1::text[]) WITH ORDINALITY AS given (id, nth)
    LEFT JOIN LATERAL (
      SELECT pg_column_size(data) + coalesce(pg_column_size(text), 0) +
             coalesce((SELECT sum(octet_length(vector)) FROM record_chunks AS chunk
                        WHERE chunk.data_source_id = record.data_source_id AND chunk.document = record.document), 0) AS size
        FROM data_records AS record WHERE record_id = id LIMIT 1
    ) AS stored ON true`

const sizesSql = `SELECT count(*)::integer AS read FROM (${measured}) AS measured WHERE before <= $2`

/** Chunks of a text that has changed since it was embedded are left out. */
const recordsSql = `
  SELECT (nth - 1)::integer AS position, found.* FROM (${measured}) AS measured
   CROSS JOIN LATERAL (
     SELECT record_id, workspace_id, data_source_id,
            record.title, record.text, record.data, source.config->>'language' AS language,
            jsonb_build_object('fields', coalesce(source.config->'fields', '{}')) ||
              CASE WHEN source.config ? 'timestamp_field'
                   THEN jsonb_build_object('timestamp_field', source.config->'timestamp_field') ELSE '{}' END AS declarations,
            (SELECT max(space) FROM record_chunks AS chunk
              WHERE chunk.data_source_id = record.data_source_id AND chunk.document = record.document) AS space,
            (SELECT coalesce(json_agg(json_build_object('start', start, 'length', length,
                                                        'vector', translate(encode(vector, 'base64'), E'\\n', '')) ORDER BY start), '[]')
               FROM record_chunks AS chunk
              WHERE chunk.data_source_id = record.data_source_id AND chunk.document = record.document
                AND NOT EXISTS (SELECT FROM embedding_changes AS change
                                 WHERE change.data_source_id = chunk.data_source_id AND change.document = chunk.document)
            ) AS chunks
       FROM data_records AS record JOIN data_sources AS source USING (workspace_id, data_source_id)
      WHERE record_id = id AND source.record_access = 'full' LIMIT 1
   ) AS found
   WHERE before <= $2 ORDER BY nth`
