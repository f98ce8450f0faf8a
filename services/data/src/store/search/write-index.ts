import type { Query } from '@wp/database'
import { textSearchConfiguration } from '../../search/index/text-search-configuration.ts'
import { titleWeight } from '../../search/rank/bm25.ts'
import type { LockedSource } from '../sources/sources.ts'
import { indexLockKey } from './segment-merge.ts'
import { toTsvector } from './text-parsing.ts'

/** Longest document that is told apart, in weighted words: what fits the two bytes of a posting. */
const maxLength = 65_535

/** The index of a source that is locked, and where to go on writing it. */
export interface OpenIndex {
  indexId: number
  /** The segment to write next. */
  segment: number
  nextDocument: number
  /** The text search configuration of the source. */
  configuration: string
}

/** Opens the index of a source; whoever locked the source is its only writer. */
export async function openIndex(query: Query, source: LockedSource): Promise<OpenIndex> {
  const { workspaceId, dataSourceId, config } = source
  const found = await query<Omit<OpenIndex, 'configuration'>>(`${selectIndex} WHERE data_source_id = $1`, [
    dataSourceId,
  ])
  const [index] =
    found.length > 0
      ? found
      : await query<Omit<OpenIndex, 'configuration'>>(
          `INSERT INTO search_indexes (workspace_id, data_source_id) VALUES ($1, $2)
           RETURNING index_id AS "indexId", segments + 1 AS segment, next_document AS "nextDocument"`,
          [workspaceId, dataSourceId],
        )
  if (index === undefined) throw new Error('an inserted row is returned')
  return { ...index, configuration: textSearchConfiguration(config.language) }
}

const selectIndex = `
  SELECT index_id AS "indexId", segments + 1 AS segment, next_document AS "nextDocument" FROM search_indexes`

/** The words of a record, as an SQL expression; null where there are none. */
export const tsvectorOf = (configuration: string, title: string, text: string): string => {
  const part = (column: string) => toTsvector(configuration, `coalesce(${column}, '')`)
  return `nullif(setweight(${part(title)}, 'A') || ${part(text)}, ''::tsvector)`
}

/** How often a lexeme stands in a document, weighted. */
const occurrences = `(cardinality(positions) + ${titleWeight - 1} * cardinality(array_positions(weights, 'A')))`

const lengthOf = (words: string) =>
  `(SELECT CASE WHEN sum(${occurrences}) > ${maxLength} THEN ${maxLength} ELSE sum(${occurrences}) END FROM unnest(${words}))`

/**
 * Members of a WITH that write a segment: of each lexeme the documents it now stands in, and, with no occurrences,
 * those it no longer does. The statistics of the index follow in the same statement.
 *
 * @param changed a member before these, with the columns document, words, old_words and is_new of records whose words
 *   changed
 * @param placeholders of the values `indexId`, `segment` and `workspaceId`
 */
export const segmentWriteCtes = (
  changed: string,
  placeholders: { indexId: string; segment: string; workspaceId: string },
): string => `
  measured AS MATERIALIZED (
    SELECT document, words, old_words, is_new,
           ${lengthOf('words')} AS length, ${lengthOf('old_words')} AS old_length
      FROM ${changed}
  ), entries AS (
    SELECT lexeme COLLATE "C" AS lexeme, document, ${occurrences} AS occurrences, length FROM measured, unnest(words)
    UNION ALL
    SELECT lexeme COLLATE "C", document, 0, 0
      FROM measured, unnest(ts_delete(old_words, coalesce(tsvector_to_array(words), '{}')))
  ), posted AS (
    INSERT INTO search_postings (index_id, lexeme, segment, workspace_id, postings)
    SELECT ${placeholders.indexId}, lexeme, ${placeholders.segment}, ${placeholders.workspaceId},
           string_agg(int8send((document::bigint << 32) | (occurrences::bigint << 16) | length::bigint), ''::bytea
             ORDER BY document)
      FROM entries GROUP BY lexeme
  ), counted AS (
    UPDATE search_indexes AS known
       SET segments = ${placeholders.segment},
           next_document = known.next_document + changes.new_documents,
           documents = known.documents + changes.documents,
           length = known.length + changes.length
      FROM (
        SELECT count(*) FILTER (WHERE is_new) AS new_documents, count(words) - count(old_words) AS documents,
               coalesce(sum(coalesce(length, 0) - coalesce(old_length, 0)), 0) AS length
          FROM measured HAVING count(*) > 0
      ) AS changes
     WHERE index_id = ${placeholders.indexId}
  )`

/**
 * Removes some of the index of a deleted source; nobody folds it meanwhile.
 * @returns how many rows, 0 when none were left
 */
export async function deleteIndexBatch(query: Query, workspaceId: string, dataSourceId: string): Promise<number> {
  const [index] = await query<{ indexId: number }>(
    `SELECT index_id AS "indexId", pg_advisory_xact_lock(${indexLockKey}, index_id) FROM search_indexes
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId],
  )
  if (index === undefined) return 0
  const removed = await query(
    `DELETE FROM search_postings WHERE ctid IN (
       SELECT ctid FROM search_postings WHERE index_id = $1 LIMIT 10000) RETURNING 1`,
    [index.indexId],
  )
  if (removed.length > 0) return removed.length
  return (await query('DELETE FROM search_indexes WHERE index_id = $1 RETURNING 1', [index.indexId])).length
}
