import type { RequestCaller, WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { announceRows } from '../ingest/announce-rows.ts'
import { assertNotPaused } from '../ingest/store-batch.ts'
import { eraseRecords } from '../store/records/erase-records.ts'
import { listRecordKeys } from '../store/records/record-keys.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import type { SourceKey } from '../store/sources/sources.ts'
import type { ExistingKeys } from '../sync/batching/existing-keys.ts'

const maxDeletionsPerTransaction = 1_000

/**
 * Deletes the records that existed before a full upload and are not in it, 1,000 per transaction.
 * @param nextCaller returns the caller of the next transaction
 * @returns the number of deleted records
 */
export async function deleteMissingRecords(
  database: Context['database'],
  nextCaller: () => RequestCaller<WorkspaceCaller>,
  source: SourceKey,
  existingKeys: ExistingKeys,
): Promise<number> {
  const { workspaceId, dataSourceId } = source
  const deleteStep = (recordIds: readonly string[]) =>
    database.transact(nextCaller(), async (tx) => {
      const locked = await lockSource(tx.query, workspaceId, dataSourceId)
      assertNotPaused(locked)
      const { records } = await eraseRecords(tx.query, locked, recordIds)
      await announceRows(tx, locked)
      return records
    })
  let deleted = 0
  for (let after = ''; existingKeys.countUnseen() > 0; ) {
    const page = await database.read({ workspaceId }, (_db, query) => listRecordKeys(query, source, undefined, after))
    const last = page.at(-1)
    if (last === undefined) break
    const missing = page.filter(({ key }) => existingKeys.isMissing(key)).map(({ recordId }) => recordId)
    for (let from = 0; from < missing.length; from += maxDeletionsPerTransaction)
      deleted += await deleteStep(missing.slice(from, from + maxDeletionsPerTransaction))
    after = last.key
  }
  return deleted
}
