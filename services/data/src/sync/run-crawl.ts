import { newId } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../providers/source-reader.ts'
import { findSavedCursor, recordCrawlEnd, type SavedCursor, saveCursor } from '../store/sources/crawl-cursor.ts'
import { beginObservedSchema, resumeObservedSchema } from '../store/sources/observed-schema.ts'
import { listPartVersions } from '../store/sources/source-parts.ts'
import type { LockedSource } from '../store/sources/sources.ts'
import { assertNotPaused, createCrawlWriter } from './crawl-writer.ts'
import { readExistingKeys } from './delete-missing.ts'
import { finishSync, lockSyncSource } from './finish-sync.ts'
import { resolveIntegration } from './integration-access.ts'
import { readPages } from './read-pages.ts'
import { createResumeDedup } from './resume-dedup.ts'
import { emptyTotals } from './sync-counts.ts'
import { type CrawlState, noCounts, type SyncInput } from './sync-job.ts'

export type CrawlContext = Pick<Context, 'database' | 'internal' | 'outbound' | 'protocols' | 'readers' | 'log' | 'now'>
type Control = JobControl<PrismaClient>

/**
 * One attempt at a sync that reads its source. What is stored is stored for good, with the place after it: an incremental
 * crawl goes on there, a full one begins anew but for parts that were read to their end, and is what removes.
 */
export async function runCrawl(context: CrawlContext, job: Job, control: Control): Promise<void> {
  const { database, log, now } = context
  const begun = await startCrawl(job, control)
  const { source, state, place, crawlId } = begun
  const isFull = state.mode === 'full'
  const { signal } = control
  const link = await resolveIntegration({ internal: context.internal, log }, job, source.integrationId)
  const known = isFull ? await readExistingKeys(database, source, signal) : undefined
  const store = createCrawlWriter({ database, control, job, source, crawlId, known, state })
  const crawl: CrawlRequest<unknown> = {
    config: source.config,
    integration: link.connection,
    mode: state.mode,
    // Where nothing was removed up to a place, more is gone than what is new would tell.
    cursor: isFull && place?.hasAppliedDeletions !== true ? undefined : place?.cursor,
    findPartVersions: (parts) => database.read(source, (_db, query) => listPartVersions(query, source, parts, isFull)),
    outbound: context.outbound,
    protocols: context.protocols,
    signal,
    log,
    now,
  }
  let failure: JobFailure | undefined
  const pages = captureReadFailure(findReader(context, source).crawl(crawl), (error) => {
    failure = error
  })
  try {
    const reading = {
      config: source.config,
      previousTotals: state.kept,
      existingKeys: known,
      dedup: isFull ? undefined : createResumeDedup(begun.isResumed ? (place?.recentRowHashes ?? null) : null),
      ...{ signal, now },
    }
    const end = await readPages(pages, reading, store.writeBatch)
    if (isFull && end === 'complete') await store.deleteMissing()
    await control.finish(async (tx) => {
      const locked = await lockSyncSource(tx, job)
      const held = store.pendingCursor()
      if (held !== undefined) await saveCursor(tx.query, locked, held)
      await recordCrawlEnd(tx.query, locked, { isWhole: isFull && end === 'complete' && !store.hasSkippedParts() })
      const { kept: _kept, ...result } = store.state()
      return finishSync(tx, job, locked, { ...result, cursor_after: held?.cursor ?? result.cursor_after })
    })
  } catch (error) {
    if (error === failure && failure !== undefined && !signal.aborted) await link.report(failure)
    throw error
  } finally {
    await pages.return('unchanged').catch((err: unknown) => log.warn({ err, job: job.id }, 'a reader did not close'))
  }
  await link.report()
}

interface CrawlStart {
  source: LockedSource
  state: CrawlState
  place: SavedCursor | undefined
  /** Names this attempt. */
  crawlId: string
  /** Whether it goes on where an earlier attempt had come to. */
  isResumed: boolean
}

async function startCrawl(job: Job, control: Control): Promise<CrawlStart> {
  const input = job.input as SyncInput & { trigger: 'manual' } // nothing is read for an upload
  const earlier = job.detail as Partial<CrawlState> // written by crawls alone
  let begun: CrawlStart | undefined
  await control.checkpoint(async (tx) => {
    const source = await lockSyncSource(tx, job)
    assertNotPaused(source)
    const place = await findSavedCursor(tx.query, source)
    const mode = earlier.mode ?? input.mode ?? source.syncMode
    const kept = earlier.kept ?? emptyTotals
    const isWhole = mode === 'full'
    if (earlier.mode === undefined) await beginObservedSchema(tx.query, source, { isWhole })
    else await resumeObservedSchema(tx.query, source, { isWhole, misfits: kept.misfits })
    const { seen, failed, bad_rows } = kept
    const state: CrawlState = {
      mode,
      counts: { ...(earlier.counts ?? noCounts), seen, failed },
      bad_rows,
      cursor_before: earlier.mode === undefined ? (place?.cursor ?? null) : (earlier.cursor_before ?? null),
      cursor_after: place?.cursor ?? null,
      kept,
    }
    begun = { source, state, place, crawlId: newId('sync'), isResumed: earlier.mode !== undefined }
    return { detail: { ...state }, isProgress: false }
  })
  if (begun === undefined) throw new Error('a checkpoint runs its work')
  return begun
}

function findReader({ readers }: CrawlContext, { provider }: LockedSource): SourceReader<unknown> {
  const reader = provider === 'upload' ? undefined : readers[provider]
  if (reader === undefined)
    throw new JobFailure({ code: 'config', message: `Nothing can be read from ${provider}`, retryable: false })
  return reader as SourceReader<unknown> // it is given the config of a source of its provider
}

/** Pages as they come; how reading them failed is told apart from how storing them did. */
async function* captureReadFailure(
  pages: AsyncGenerator<Page, CrawlResult>,
  failed: (error: JobFailure) => void,
): AsyncGenerator<Page, CrawlResult> {
  try {
    return yield* pages
  } catch (error) {
    if (error instanceof JobFailure) failed(error)
    throw error
  }
}
