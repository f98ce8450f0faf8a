import type { Query } from '@wp/database'
import type { SourceKey } from '../sources/sources.ts'
import { indexLockKey } from './segment-merge.ts'

/** Longer posting lists belong to common words, which tell nothing about one record; the next merge shortens them. */
const maxExaminedBytes = 8_192

/**
 * Deletes lexemes from the index of a locked source if no record has them any longer. Without it they would stay until
 * the next merge, and a misspelt query would be corrected to them.
 */
export async function deleteUnusedLexemes(query: Query, source: SourceKey, lexemes: readonly string[]): Promise<void> {
  if (lexemes.length === 0) return
  // A merge between the two statements would write postings back that this one does not see.
  const [index] = await query<{ indexId: number }>(
    `SELECT index_id, pg_advisory_xact_lock(${indexLockKey}, index_id) FROM search_indexes
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId],
  )
  if (index !== undefined) await query(deleteSql, [index.indexId, lexemes])
}

/**
 * Of each document the posting in the newest segment counts; without occurrences it is a tombstone (postings.ts). The
 * subquery is an array, so that it runs once: the planner expects few rows behind row-level security, and would
 * otherwise run it for every posting of the index.
 */
const deleteSql = `
  DELETE FROM search_postings WHERE index_id = $1 AND lexeme = ANY (ARRAY(
    SELECT lexeme FROM (
      SELECT DISTINCT ON (lexeme, document) lexeme, is_present FROM (
        SELECT lexeme, segment, substring(postings FROM position FOR 4) AS document,
               substring(postings FROM position + 4 FOR 2) <> '\\x0000' AS is_present
          FROM (SELECT lexeme, segment, postings, sum(octet_length(postings)) OVER (PARTITION BY lexeme) AS bytes
                  FROM search_postings WHERE index_id = $1 AND lexeme = ANY ($2::text[])) AS stored
         CROSS JOIN LATERAL generate_series(1, octet_length(postings), 8) AS position
         WHERE bytes <= ${maxExaminedBytes}
      ) AS posting ORDER BY lexeme, document, segment DESC
    ) AS latest GROUP BY lexeme HAVING NOT bool_or(is_present)))`
