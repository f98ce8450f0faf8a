import { Problem, type SchemaChange } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type Job, JobFailure } from '@wp/jobs'
import { listSchemaChanges } from '../store/sources/observed-schema.ts'
import { type LockedSource, lockSource, recordSyncFailure, recordSyncSuccess } from '../store/sources/sources.ts'
import { type CrawlState, type SyncResult, syncErrorOf } from './sync-job.ts'

/** A sync went through records or rows: what its source is now, and that it has finished, together with its end. */
export const finishSync = (tx: Transaction, job: Job, source: LockedSource, result: SyncResult): Promise<SyncResult> =>
  recordSuccess(tx, job, source, { ...result, schema_changes: listSchemaChanges(source) }, true)

/** The same of a sync that went through nothing, as an upload had done so. */
export const finishUploadSync = (
  tx: Transaction,
  job: Job,
  source: LockedSource,
  result: SyncResult & { schema_changes: SchemaChange[] },
): Promise<SyncResult> => recordSuccess(tx, job, source, result, false)

async function recordSuccess(
  tx: Transaction,
  job: Job,
  source: LockedSource,
  result: SyncResult,
  takeFieldsAnew: boolean,
): Promise<SyncResult> {
  await recordSyncSuccess(tx.query, source, job.id, { takeFieldsAnew })
  tx.emit({
    kind: 'DATA_SYNC_FINISHED',
    data: { id: job.id, status: 'finished', data_source_id: source.dataSourceId, counts: result.counts },
  })
  return result
}

/** However a sync fails, by its handler, a lost lease or a revoked caller, its event is committed with the failure. */
export async function recordFailure(tx: Transaction, job: Job): Promise<void> {
  const error = syncErrorOf(job)
  const { workspaceId, id: syncId, subject } = job
  const { counts } = job.detail as Partial<CrawlState> // written by syncs alone
  if (error !== null) await recordSyncFailure(tx.query, { workspaceId, dataSourceId: subject ?? '', syncId }, error)
  tx.emit({
    kind: 'DATA_SYNC_FAILED',
    data: {
      id: job.id,
      status: 'failed',
      data_source_id: job.subject ?? '',
      ...(counts && { counts }),
      ...(error && { error: { code: error.code, message: error.message } }),
    },
  })
}

/** Deleting a source cancels its syncs; one that began at the same moment finds it gone. @throws JobFailure */
export async function lockSyncSource(tx: Transaction, { workspaceId, subject }: Job): Promise<LockedSource> {
  try {
    return await lockSource(tx.query, workspaceId, subject ?? '')
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw new JobFailure({ code: 'config', message: 'The data source is no longer there', retryable: false })
  }
}
