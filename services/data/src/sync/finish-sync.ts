import { Problem, type SchemaChange } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type Job, JobFailure } from '@wp/jobs'
import { announceRows } from '../ingest/announce-rows.ts'
import { detectSchemaChanges } from '../schema/schema-changes.ts'
import { type LockedSource, lockSource } from '../store/sources/locked-source.ts'
import { recordSyncFailure, recordSyncSuccess } from '../store/sources/sync-results.ts'
import { type CrawlState, type SyncResult, syncErrorOf } from './sync-job.ts'

/**
 * Records the success of a sync that read rows or records, with the schema changes it observed, and emits its event.
 */
export function finishSync(tx: Transaction, job: Job, source: LockedSource, result: SyncResult): Promise<SyncResult> {
  const dimensions = { data_source_id: source.dataSourceId }
  tx.recordUsage({ meter: 'syncs', quantity: 1, subject: job.id, dimensions })
  const observed = { ...result, schema_changes: listSchemaChanges(source) }
  return recordSuccess(tx, job, source, observed, { adoptPendingFields: true })
}

/** Records the success of the sync of an upload, whose rows are stored already, and emits its event. */
export const finishUploadSync = (
  tx: Transaction,
  job: Job,
  source: LockedSource,
  result: SyncResult & { schema_changes: SchemaChange[] },
): Promise<SyncResult> => recordSuccess(tx, job, source, result, { adoptPendingFields: false })

async function recordSuccess(
  tx: Transaction,
  job: Job,
  source: LockedSource,
  result: SyncResult,
  options: { adoptPendingFields: boolean },
): Promise<SyncResult> {
  await recordSyncSuccess(tx.query, source, job.id, options)
  await announceRows(tx, source)
  tx.emit({
    kind: 'DATA_SYNC_FINISHED',
    data: {
      id: job.id,
      status: 'finished',
      data_source_id: source.dataSourceId,
      data_source_name: source.name,
      counts: result.counts,
    },
  })
  return result
}

/** Returns what the sync observed differently from the fields before it and from the declared types. */
function listSchemaChanges(source: LockedSource): SchemaChange[] {
  const { config, fields, pendingFields, previousFields, typeMismatches } = source
  return detectSchemaChanges(previousFields ?? fields, pendingFields ?? fields, config, typeMismatches ?? {})
}

/** Records the failure of a sync and emits its event, for every cause: its handler, lost leases, a revoked caller. */
export async function recordFailure(tx: Transaction, job: Job): Promise<void> {
  const error = syncErrorOf(job)
  const { workspaceId, id: syncId, subject } = job
  const { counts } = job.detail as Partial<CrawlState> // written by syncs alone
  const key = { workspaceId, dataSourceId: subject ?? '', syncId }
  const name = error === null ? undefined : await recordSyncFailure(tx.query, key, error)
  tx.emit({
    kind: 'DATA_SYNC_FAILED',
    data: {
      id: job.id,
      status: 'failed',
      data_source_id: key.dataSourceId,
      ...(name !== undefined && { data_source_name: name }),
      ...(counts && { counts }),
      ...(error && { error: { code: error.code, message: error.message } }),
    },
  })
}

/**
 * Locks the source of a sync.
 * @throws JobFailure if the source was deleted; deletion cancels the syncs of a source, except one that starts just
 *   then
 */
export async function lockSyncSource(tx: Transaction, { workspaceId, subject }: Job): Promise<LockedSource> {
  try {
    return await lockSource(tx.query, workspaceId, subject ?? '')
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw new JobFailure({ code: 'config', message: 'The data source no longer exists', retryable: false })
  }
}
