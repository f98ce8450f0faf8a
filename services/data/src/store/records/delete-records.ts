import type { Query } from '@wp/database'
import { openIndex, segmentWriteCtes } from '../search/write-index.ts'
import type { LockedSource } from '../sources/sources.ts'

/**
 * Deletes records of a source that is locked, and takes them out of search with it. The source's count is the caller's.
 * @returns how many there were
 */
export async function deleteRecords(query: Query, source: LockedSource, recordIds: readonly string[]): Promise<number> {
  const { workspaceId, dataSourceId } = source
  const { indexId, segment } = await openIndex(query, source)
  const removed = await query(deleteSql, [workspaceId, dataSourceId, recordIds, indexId, segment])
  return removed.length
}

const deleteSql = `
  WITH removed AS (
    DELETE FROM data_records WHERE workspace_id = $1 AND data_source_id = $2 AND record_id = ANY ($3::text[])
    RETURNING document, words
  ), changed AS (
    SELECT document, NULL::tsvector AS words, words AS old_words, false AS is_new FROM removed WHERE words IS NOT NULL
  ), ${segmentWriteCtes('changed', { indexId: '$4::integer', segment: '$5::integer', workspaceId: '$1' })}
  SELECT 1 FROM removed`
