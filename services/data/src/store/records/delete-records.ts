import type { Query } from '@wp/database'
import type { StorageChange } from '../quotas.ts'
import { openIndex, segmentWriteCtes } from '../search/write-index.ts'
import type { LockedSource } from '../sources/locked-source.ts'
import { isOfSource } from '../sources/sources.ts'

/**
 * Deletes records of a locked source and removes them from the search index in the same statement. Does not change the
 * statistics of the source.
 * @returns the number of deleted records and their bytes
 */
export async function deleteRecords(
  query: Query,
  source: LockedSource,
  recordIds: readonly string[],
): Promise<StorageChange> {
  const { workspaceId, dataSourceId } = source
  // Caches drop the vectors of an older version. Before the records: the embedding worker locks in this order, too.
  await query('UPDATE embedding_progress SET version = version + 1 WHERE data_source_id = $1', [dataSourceId])
  const { indexId, segment } = await openIndex(query, source)
  const [deleted] = await query<StorageChange>(deleteSql, [workspaceId, dataSourceId, recordIds, indexId, segment])
  if (deleted === undefined) throw new Error('aggregate query returned no row')
  return deleted
}

const deleteSql = `
  WITH deleted AS (
    DELETE FROM data_records WHERE workspace_id = $1 AND ${isOfSource('$2')} AND record_id = ANY ($3::text[])
    RETURNING document, words, bytes
  ), changed AS (
    SELECT document, NULL::tsvector AS words, words AS old_words, false AS is_new FROM deleted WHERE words IS NOT NULL
  ), ${segmentWriteCtes('changed', { indexId: '$4::integer', segment: '$5::integer', workspaceId: '$1' })}
  SELECT count(*)::integer AS records, coalesce(sum(bytes), 0) AS bytes FROM deleted`
