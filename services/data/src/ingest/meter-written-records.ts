import { enforceMeters, type Transaction } from '@wp/database'
import type { UpsertCounts } from '../store/records/upsert-records.ts'
import type { SourceKey } from '../store/sources/source-key.ts'

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
