import type { Query } from '@wp/database'
import type { LockedSource } from '../sources/locked-source.ts'
import type { SourceKey } from '../sources/sources.ts'
import { indexLockKey } from './segment-merge.ts'
import { textSearchConfiguration, toTsvectorOfSpellings } from './text/text-parsing.ts'

/** An occurrence in the title counts as this many in the text, for both occurrences and document length. */
export const titleWeight = 2

/** Weighted document lengths are capped at what fits into two bytes of a posting. */
const maxDocumentLength = 65_535

/** The write position of an index. */
export interface OpenIndex {
  indexId: number
  /** Number of the next segment. */
  segment: number
  nextDocument: number
  /** The text search configuration of the source. */
  configuration: string
}

/**
 * Returns the index of a locked source and creates it on first use. The source lock makes its holder the only writer.
 */
export async function openIndex(query: Query, { workspaceId, dataSourceId, config }: LockedSource): Promise<OpenIndex> {
  const found = await query<Omit<OpenIndex, 'configuration'>>(
    `SELECT ${indexColumns} FROM search_indexes WHERE data_source_id = $1`,
    [dataSourceId],
  )
  const [index] =
    found.length > 0
      ? found
      : await query<Omit<OpenIndex, 'configuration'>>(
          `INSERT INTO search_indexes (workspace_id, data_source_id) VALUES ($1, $2) RETURNING ${indexColumns}`,
          [workspaceId, dataSourceId],
        )
  if (index === undefined) throw new Error('INSERT … RETURNING returned no row')
  return { ...index, configuration: textSearchConfiguration(config.language) }
}

const indexColumns = 'index_id, segments + 1 AS segment, next_document'

/** Returns an SQL expression for the words of a record, title words with weight A; null if there are none. */
export const tsvectorOf = (configuration: string, title: string, text: string): string => {
  const wordsIn = (column: string) => toTsvectorOfSpellings(configuration, `coalesce(${column}, '')`)
  return `nullif(setweight(${wordsIn(title)}, 'A') || ${wordsIn(text)}, ''::tsvector)`
}

/** SQL expression for the weighted occurrences of a lexeme in a document. */
const occurrences = `(cardinality(positions) + ${titleWeight - 1} * cardinality(array_positions(weights, 'A')))`

/**
 * Lexemes that add nothing to the length of a document: the stop words of English, in every language. They do not
 * depend on the language of the source, because the length that an update subtracts must be the one that was added.
 */
const uncounted = `'{a,about,abov,after,again,against,all,am,an,and,ani,are,as,at,be,becaus,been,befor,below,between,both,but,by,can,did,do,doe,don,down,dure,each,few,for,from,further,had,has,have,he,her,here,herself,him,himself,his,how,i,if,in,into,is,it,itself,just,me,more,most,my,myself,no,nor,not,now,of,off,on,onc,onli,or,other,our,ourselv,out,over,own,s,same,she,should,so,some,such,t,than,that,the,their,them,themselv,then,there,these,they,this,those,through,to,too,under,until,up,veri,was,we,were,what,when,where,whi,which,while,who,whom,will,with,you,your,yourself,yourselv}'::text[]`

/** Returns an SQL expression for the length of a document in words; null if it has none. */
const lengthOf = (words: string) =>
  `(SELECT CASE WHEN sum(${countedLength}) > ${maxDocumentLength} THEN ${maxDocumentLength} ELSE sum(${countedLength}) END
      FROM unnest(${words}))`

// A constant array is searched as a hash table.
const countedLength = `(CASE WHEN lexeme = ANY (${uncounted}) THEN 0 ELSE ${occurrences} END)`

/**
 * Returns common table expressions that write one segment and update the statistics of the index. For each lexeme the
 * segment lists the documents that contain it now and, with 0 occurrences, those that no longer do.
 *
 * @param changed name of an earlier CTE with the columns document, words, old_words and is_new of reindexed records
 * @param placeholders SQL expressions of the values
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
 * Deletes up to 10,000 rows of the index of a deleted source. Holds the merge lock of the index.
 * @returns the number of deleted rows; 0 if none are left
 */
export async function deleteIndexBatch(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<number> {
  const [index] = await query<{ indexId: number }>(
    `SELECT index_id, pg_advisory_xact_lock(${indexLockKey}, index_id) FROM search_indexes
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId],
  )
  if (index === undefined) return 0
  const postings = await query(
    `DELETE FROM search_postings WHERE ctid IN (
       SELECT ctid FROM search_postings WHERE index_id = $1 LIMIT 10000) RETURNING 1`,
    [index.indexId],
  )
  if (postings.length > 0) return postings.length
  const indexes = await query('DELETE FROM search_indexes WHERE index_id = $1 RETURNING 1', [index.indexId])
  return indexes.length
}
