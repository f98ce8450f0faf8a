import type { Query } from '@wp/database'
import type { TextSpan } from '../search/documents.ts'
import { hideFromPlanner } from '../search/hide-from-planner.ts'
import { type HitRow, maxPageDataBytes } from '../search/hit-rows.ts'

/** The part of a record that a hit of the search engine shows; without highlights. */
export interface RecordHead extends Omit<HitRow, 'markedTitle' | 'snippet'> {
  /** The text of the span or, without one, the beginning of the text. */
  part: string | null
  /** The beginning of a text with letters that are written without spaces; null for other texts. */
  sourceText: string | null
}

const maxPartLength = 400
const defaultPartLength = 200

/** The blocks of these letters, and of their variants. */
const unspacedPattern =
  '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]'
const maxSourceTextLength = 16_384

/**
 * Reads records by id. Deleted records, and those of deleted or restricted sources and of other workspaces, are left
 * out.
 * @param createdBefore leaves out records that were created later
 */
export async function readRecordHeads(
  query: Query,
  workspaceId: string,
  keys: readonly { recordId: string; span?: TextSpan | undefined }[],
  hasData: boolean,
  createdBefore?: Date,
): Promise<RecordHead[]> {
  const values = [
    workspaceId,
    keys.map(({ recordId }) => recordId),
    keys.map(({ span }) => span?.start ?? 0),
    keys.map(({ span }) => Math.min(span?.length ?? defaultPartLength, maxPartLength)),
    hasData,
    createdBefore ?? null,
  ]
  const rows = await query<RecordHead & { data: Record<string, unknown> | null }>(headSql, values, 'read_record_heads')
  return rows.map(({ data, ...row }) => (data === null ? row : { ...row, data }))
}

const headSql = `
  SELECT position, record_id, data_source_id, key, title, url, part, source_text,
         ceil(extract(epoch FROM now()) * 1000)::float8 AS read_at,
         CASE WHEN bytes - size <= ${maxPageDataBytes} THEN data END AS data,
         bytes - size > ${maxPageDataBytes} AS is_beyond_page
    FROM (
      SELECT (nth - 1)::integer AS position, found.*, sum(size) OVER (ORDER BY nth) AS bytes
        FROM unnest(${['$2::text[]', '$3::integer[]', '$4::integer[]'].map(hideFromPlanner)}) WITH ORDINALITY
               AS given (id, start, length, nth)
       CROSS JOIN LATERAL (
         SELECT record_id, data_source_id, key, title, url,
                substr(text, start + 1, length) AS part,
                CASE WHEN text ~ '${unspacedPattern}' THEN left(text, ${maxSourceTextLength}) END AS source_text,
                CASE WHEN $5 THEN data END AS data,
                CASE WHEN $5 THEN octet_length(data::text) ELSE 0 END AS size
           FROM data_records AS stored
          WHERE workspace_id = $1 AND record_id = id AND ($6::timestamptz IS NULL OR created_at <= $6)
            AND EXISTS (SELECT FROM data_sources AS known
                   WHERE known.data_source_id = stored.data_source_id AND known.record_access = 'full') LIMIT 1
       ) AS found
    ) AS measured
   ORDER BY position`
