import type { Job, JobControl } from '@wp/jobs'
import type { PrismaClient } from '#db'
import { reindexSome } from '../store/reindex.ts'
import { beginSchema } from '../store/schema.ts'
import { conclude, concludeUpload, sourceOf } from './conclude.ts'
import { type CrawlContext, runCrawl } from './crawl.ts'
import { noCounts, type SyncInput, type SyncState } from './sync.ts'

type Control = JobControl<PrismaClient>

/**
 * One attempt at a sync. What an upload stored is only concluded. The source is crawled; into one nothing is read for,
 * every record is gone through, in steps, so that another runner goes on where this one stopped and counts nothing
 * twice.
 */
export const createSyncRun =
  (context: CrawlContext) =>
  async (job: Job, control: Control): Promise<void> => {
    const input = job.input as SyncInput // written by the operations that start syncs
    if (input.trigger === 'upload') {
      const { counts, schema_changes = [] } = input
      return control.finish(async (tx) => concludeUpload(tx, job, await sourceOf(tx, job), { counts, schema_changes }))
    }
    // A schedule asks for nobody: what it may was decided when it was set up.
    if (job.caller !== null && !control.caller.scopes.includes('data:write'))
      return control.fail({ code: 'auth', message: 'Who started this may no longer change data', retryable: false })
    let provider: string | undefined
    await control.checkpoint(async (tx) => {
      provider = (await sourceOf(tx, job)).provider
      return { isFurther: false }
    })
    if (provider !== 'upload') return runCrawl(context, job, control)
    let state: SyncState | undefined = stateOf(job)
    while (state !== undefined) {
      control.signal.throwIfAborted()
      state = await step(job, control, state)
    }
  }

/** Goes through some records; with none left, finishes. */
async function step(job: Job, control: Control, { counts, cursor }: SyncState): Promise<SyncState | undefined> {
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
  if (next === undefined) await control.finish(async (tx) => conclude(tx, job, await sourceOf(tx, job), { counts }))
  return next
}

/** What an earlier attempt left behind, or nothing yet. */
function stateOf({ detail }: Job): SyncState {
  const { counts = noCounts, cursor } = detail as Partial<SyncState> // written by `step` alone
  return cursor === undefined ? { counts } : { counts, cursor }
}
