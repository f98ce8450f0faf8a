import { Problem, type SyncCounts } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import { reindexSome } from '../store/reindex.ts'
import { beginSchema, changesOf } from '../store/schema.ts'
import { type LockedSource, lockSource, noteFailed, noteSynced } from '../store/sources.ts'
import { errorOf, noCounts, type SyncInput, type SyncInputOfUpload, type SyncResult, type SyncState } from './sync.ts'

/**
 * One attempt at a sync. What an upload stored is only concluded; otherwise every record is gone through, in steps, so
 * that another runner goes on where this one stopped and counts nothing twice.
 */
export async function runSync<Client>(job: Job, control: JobControl<Client>): Promise<void> {
  const input = job.input as SyncInput // written by the operations that start syncs
  if (input.trigger === 'upload')
    return control.finish(async (tx) => conclude(tx, job, await sourceOf(tx, job), input.counts))
  // A schedule asks for nobody: what it may was decided when it was set up.
  if (job.caller !== null && !control.caller.scopes.includes('data:write'))
    return control.fail({ code: 'auth', message: 'Who started this may no longer change data', retryable: false })
  let state: SyncState | undefined = stateOf(job)
  while (state !== undefined) {
    control.signal.throwIfAborted()
    state = await step(job, control, state)
  }
}

/** Goes through some records; with none left, finishes. */
async function step<Client>(
  job: Job,
  control: JobControl<Client>,
  { counts, cursor }: SyncState,
): Promise<SyncState | undefined> {
  let next: SyncState | undefined
  await control.checkpoint(async (tx) => {
    const source = await sourceOf(tx, job)
    if (cursor === undefined) await beginSchema(tx.query, source, { isWhole: true })
    const { seen, updated, cursor: end } = await reindexSome(tx.query, source, cursor)
    next = undefined
    if (end === undefined) return {}
    next = { counts: { ...counts, seen: counts.seen + seen, updated: counts.updated + updated }, cursor: end }
    return { progress: Math.min(0.99, next.counts.seen / Math.max(1, source.recordCount)), detail: { ...next } }
  })
  if (next === undefined)
    await control.finish(async (tx) => conclude(tx, job, await sourceOf(tx, job), counts, { takeFieldsAnew: true }))
  return next
}

/** The result, the source and the event, together with the end of the job. */
async function conclude(
  tx: Transaction,
  job: Job,
  source: LockedSource,
  counts: SyncCounts,
  options?: { takeFieldsAnew: boolean },
): Promise<SyncResult> {
  const changes = options?.takeFieldsAnew ? changesOf(source) : (job.input as Partial<SyncInputOfUpload>).schema_changes
  await noteSynced(tx.query, source, job.id, options)
  tx.emit({
    kind: 'DATA_SYNC_FINISHED',
    data: { id: job.id, status: 'finished', data_source_id: source.dataSourceId, counts },
  })
  return { counts, schema_changes: changes ?? [] }
}

/** However a sync fails, by its handler, a lost lease or a revoked caller, its event is committed with the failure. */
export async function announceFailure(tx: Transaction, job: Job): Promise<void> {
  const error = errorOf(job)
  const { workspaceId, id: syncId, subject } = job
  if (error !== null) await noteFailed(tx.query, { workspaceId, dataSourceId: subject ?? '', syncId }, error)
  tx.emit({
    kind: 'DATA_SYNC_FAILED',
    data: {
      id: job.id,
      status: 'failed',
      data_source_id: job.subject ?? '',
      ...(error && { error: { code: error.code, message: error.message } }),
    },
  })
}

/** Deleting a source cancels its syncs; one that began at the same moment finds it gone. */
async function sourceOf(tx: Transaction, { workspaceId, subject }: Job): Promise<LockedSource> {
  try {
    return await lockSource(tx.query, workspaceId, subject ?? '')
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw new JobFailure({ code: 'config', message: 'The data source is no longer there', retryable: false })
  }
}

/** What an earlier attempt left behind, or nothing yet. */
function stateOf({ detail }: Job): SyncState {
  const { counts = noCounts, cursor } = detail as Partial<SyncState> // written by `step` alone
  return cursor === undefined ? { counts } : { counts, cursor }
}
