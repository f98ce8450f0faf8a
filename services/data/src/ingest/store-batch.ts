import { problem, type RequestCaller, type SourceConfig, type WorkspaceCaller } from '@wp/contracts'
import { enforceMeters, type Transaction } from '@wp/database'
import type { Context } from '../context.ts'
import { protectsAlike } from '../privacy/row-protection.ts'
import { type DetectedFormat, pinFormat } from '../schema/source-format.ts'
import { enforceStorageQuotas } from '../store/quotas.ts'
import { type UpsertCounts, upsertRecords } from '../store/records/upsert-records.ts'
import { lockSource } from '../store/sources/locked-source.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import type { SourceKey } from '../store/sources/sources.ts'
import { announceRows } from './announce-rows.ts'
import type { StoreBatch } from './ingest.ts'

/** The source of an upload as it was read before, and the format of its file. */
interface StoredFile {
  dataSourceId: string
  config: SourceConfig
  /** Undefined for a document. */
  format: DetectedFormat | undefined
}

/**
 * Creates the function that stores the batches of one upload, each in its own transaction. The first one pins the
 * format of the file.
 * @param nextCaller returns the caller of the next transaction
 */
export function createBatchStore(
  database: Context['database'],
  nextCaller: () => RequestCaller<WorkspaceCaller>,
  { dataSourceId, config, format }: StoredFile,
): StoreBatch {
  let isPinned = format === undefined
  let wasNew: boolean | null = null
  return async ({ records, observer }) => {
    const caller = nextCaller()
    const stored = await database.transact(caller, async (tx) => {
      const source = await lockSource(tx.query, caller.workspaceId, dataSourceId)
      assertNotPaused(source)
      assertSameProtection(config, source.config)
      if (format !== undefined && !isPinned && !(await pinFormat(tx.query, source, format)))
        throw problem('conflict', {
          detail: 'The format of the data source was changed while the file was read. Send the file again',
        })
      const counts = await upsertRecords(tx.query, source, records, { wasNew })
      const change = { records: counts.created, bytes: counts.bytes }
      await updateSourceStatistics(tx.query, source, change, observer)
      await enforceStorageQuotas(tx.query, caller.workspaceId, change)
      await meterWrittenRecords(tx, source, counts)
      await announceRows(tx, source)
      return counts
    })
    isPinned = true
    wasNew = stored.wasNew
    return stored
  }
}

/** @throws Problem `conflict` if the protected columns were changed since the file was opened */
export function assertSameProtection(before: SourceConfig, now: SourceConfig): void {
  if (!protectsAlike(before, now))
    throw problem('conflict', {
      detail: '`pseudonymize` or `drop` of the data source was changed while the file was read. Send the file again',
    })
}

/** @throws Problem `conflict` if the data source is paused */
export function assertNotPaused({ status }: { status: string }): void {
  if (status === 'paused') throw problem('conflict', { detail: 'The data source is paused' })
}

/**
 * Records the use of the meter `records` by one batch: the records that it created or changed.
 * @throws Problem `quota_exceeded` if the meter is exhausted
 */
export async function meterWrittenRecords(
  tx: Pick<Transaction, 'query' | 'recordUsage'>,
  { workspaceId, dataSourceId }: SourceKey,
  { created, updated }: Pick<UpsertCounts, 'created' | 'updated'>,
): Promise<void> {
  const quantity = created + updated
  if (quantity === 0) return
  await enforceMeters(tx.query, workspaceId, ['records'])
  tx.recordUsage({ meter: 'records', quantity, subject: dataSourceId, dimensions: { data_source_id: dataSourceId } })
}
