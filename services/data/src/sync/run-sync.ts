import type { Job, JobControl } from '@wp/jobs'
import type { PrismaClient } from '#db'
import { reindexBatch } from '../store/records/reindex-records.ts'
import { beginObservedSchema } from '../store/sources/observed-schema.ts'
import { finishSync, finishUploadSync, lockSyncSource } from './finish-sync.ts'
import { type CrawlContext, runCrawl } from './run-crawl.ts'
import { noCounts, type ReindexState, type SyncInput } from './sync-job.ts'

type Control = JobControl<PrismaClient>

/**
 * One attempt at a sync. What an upload stored is only concluded. The source is crawled; into one nothing is read for,
 * every record is gone through, in steps, so that another runner goes on where this one stopped and counts nothing
 * twice.
 */
export const createSyncHandler =
  (context: CrawlContext) =>
  async (job: Job, control: Control): Promise<void> => {
    const input = job.input as SyncInput // written by the operations that start syncs
    if (input.trigger === 'upload') {
      const { counts, schema_changes = [] } = input
      return control.finish(async (tx) =>
        finishUploadSync(tx, job, await lockSyncSource(tx, job), { counts, schema_changes }),
      )
    }
    // A schedule asks for nobody: what it may was decided when it was set up.
    if (job.caller !== null && !control.caller.scopes.includes('data:write'))
      return control.fail({ code: 'auth', message: 'Who started this may no longer change data', retryable: false })
    let provider: string | undefined
    await control.checkpoint(async (tx) => {
      provider = (await lockSyncSource(tx, job)).provider
      return { isProgress: false }
    })
    if (provider !== 'upload') return runCrawl(context, job, control)
    let state: ReindexState | undefined = stateOf(job)
    while (state !== undefined) {
      control.signal.throwIfAborted()
      state = await step(job, control, state)
    }
  }

/** Goes through some records; with none left, finishes. */
async function step(job: Job, control: Control, { counts, cursor }: ReindexState): Promise<ReindexState | undefined> {
  let next: ReindexState | undefined
  await control.checkpoint(async (tx) => {
    const source = await lockSyncSource(tx, job)
    if (cursor === undefined) await beginObservedSchema(tx.query, source, { isWhole: true })
    const { seen, updated, cursor: end } = await reindexBatch(tx.query, source, cursor)
    next = undefined
    if (end === undefined) return {}
    next = { counts: { ...counts, seen: counts.seen + seen, updated: counts.updated + updated }, cursor: end }
    return { progress: Math.min(0.99, next.counts.seen / Math.max(1, source.recordCount)), detail: { ...next } }
  })
  if (next === undefined)
    await control.finish(async (tx) => finishSync(tx, job, await lockSyncSource(tx, job), { counts }))
  return next
}

/** What an earlier attempt left behind, or nothing yet. */
function stateOf({ detail }: Job): ReindexState {
  const { counts = noCounts, cursor } = detail as Partial<ReindexState> // written by `step` alone
  return cursor === undefined ? { counts } : { counts, cursor }
}
