import type { Query } from '@wp/database'
import type { Job, JobControl } from '@wp/jobs'
import { deriveFields } from '../ingest/record-input.ts'
import { createSchemaObserver } from '../schema/schema-observer.ts'
import type { Client } from '../store/client.ts'
import { readRecordsAfter, updateDerivedFields } from '../store/records/reindex-records.ts'
import type { LockedSource } from '../store/sources/locked-source.ts'
import { beginObservedSchema, mergeObservedSchema } from '../store/sources/observed-schema.ts'
import { finishSync, lockSyncSource } from './finish-sync.ts'
import { noCounts, type ReindexState } from './sync-job.ts'

type Control = JobControl<Client>

/** Reindexes all records of an upload source, in steps that another attempt continues. */
export async function runReindex(job: Job, control: Control): Promise<void> {
  let state: ReindexState | undefined = readState(job)
  while (state !== undefined) {
    control.signal.throwIfAborted()
    state = await runStep(job, control, state)
  }
}

/** Reindexes one batch; finishes the sync if none is left. @returns undefined at the end */
async function runStep(
  job: Job,
  control: Control,
  { counts, cursor }: ReindexState,
): Promise<ReindexState | undefined> {
  let next: ReindexState | undefined
  await control.checkpoint(async (tx) => {
    const source = await lockSyncSource(tx, job)
    if (cursor === undefined) await beginObservedSchema(tx.query, source, { isComplete: true })
    const batch = await reindexBatch(tx.query, source, cursor)
    next = undefined
    if (batch.cursor === undefined) return {}
    const seen = counts.seen + batch.seen
    next = { counts: { ...counts, seen, updated: counts.updated + batch.updated }, cursor: batch.cursor }
    return { progress: Math.min(0.99, seen / Math.max(1, source.recordCount)), detail: { ...next } }
  })
  if (next === undefined)
    await control.finish(async (tx) => finishSync(tx, job, await lockSyncSource(tx, job), { counts }))
  return next
}

/** Returns the state of an earlier attempt, or the initial state. */
function readState({ detail }: Job): ReindexState {
  const { counts = noCounts, cursor } = detail as Partial<ReindexState> // written by runStep alone
  return cursor === undefined ? { counts } : { counts, cursor }
}

export interface ReindexedBatch {
  seen: number
  updated: number
  /** Position of the last record; undefined if none was left. */
  cursor: string | undefined
}

/** Derives title, URL and text of the next records again, and observes their fields. The source must be locked. */
export async function reindexBatch(
  query: Query,
  source: LockedSource,
  cursor: string | undefined,
): Promise<ReindexedBatch> {
  const batch = await readRecordsAfter(query, source, cursor)
  const observer = createSchemaObserver(source.config)
  for (const { data } of batch.records) observer.observe(data)
  await mergeObservedSchema(query, source, observer)
  const updates = batch.records.map(({ recordId, data }) => ({ recordId, ...deriveFields(data, source.config) }))
  const updated = await updateDerivedFields(query, source, updates)
  return { seen: batch.records.length, updated, cursor: batch.cursor }
}
