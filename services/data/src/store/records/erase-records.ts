import type { Query } from '@wp/database'
import type { StorageChange } from '../quotas.ts'
import { deleteUnusedLexemes } from '../search/delete-unused-lexemes.ts'
import type { LockedSource } from '../sources/locked-source.ts'
import { updateSourceStatistics } from '../sources/observed-schema.ts'
import { isOfSource } from '../sources/sources.ts'
import { deleteRecords } from './delete-records.ts'

/** Bounds the words that are held in memory: a record has at most 256 KiB of text. */
const recordsPerStep = 100

/**
 * Deletes records of a locked source with everything derived from them: their chunks, and their words in the search
 * index, even before its segments are merged. Updates the statistics of the source.
 * @returns the number of deleted records and their bytes
 */
export async function eraseRecords(
  query: Query,
  source: LockedSource,
  recordIds: readonly string[],
): Promise<StorageChange> {
  const total = { records: 0, bytes: 0 }
  for (let from = 0; from < recordIds.length; from += recordsPerStep) {
    const ids = recordIds.slice(from, from + recordsPerStep)
    const lexemes = await listLexemes(query, source, ids)
    const { records, bytes } = await deleteRecords(query, source, ids)
    await deleteUnusedLexemes(query, source, lexemes)
    total.records += records
    total.bytes += bytes
  }
  await updateSourceStatistics(query, source, { records: -total.records, bytes: -total.bytes })
  return total
}

async function listLexemes(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  recordIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ lexeme: string }>(
    `SELECT DISTINCT lexeme FROM data_records, unnest(words)
      WHERE workspace_id = $1 AND ${isOfSource('$2')} AND record_id = ANY ($3::text[])`,
    [workspaceId, dataSourceId, recordIds],
  )
  return rows.map(({ lexeme }) => lexeme)
}
