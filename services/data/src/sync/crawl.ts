import { newId } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import type { Crawl, CrawlEnd, Page, SourceReader } from '../providers/provider.ts'
import { findPlace, keepPlace, noteCrawled, type Place } from '../store/crawled.ts'
import { versionsOf } from '../store/parts.ts'
import { beginSchema, resumeSchema } from '../store/schema.ts'
import type { LockedSource } from '../store/sources.ts'
import { conclude, sourceOf } from './conclude.ts'
import { connect } from './connection.ts'
import { createCrawlStore, refusePausedSync } from './crawl-store.ts'
import { readPages } from './read-pages.ts'
import { rowMarks } from './row-marks.ts'
import { keysBefore } from './sweep.ts'
import { type CrawlState, noCounts, type SyncInput } from './sync.ts'
import { noTally } from './tally.ts'

export type CrawlContext = Pick<Context, 'database' | 'internal' | 'outbound' | 'protocols' | 'readers' | 'log' | 'now'>
type Control = JobControl<PrismaClient>

/**
 * One attempt at a sync that reads its source. What is stored is stored for good, with the place after it: an incremental
 * crawl goes on there, a full one begins anew but for parts that were read to their end, and is what removes.
 */
export async function runCrawl(context: CrawlContext, job: Job, control: Control): Promise<void> {
  const { database, log, now } = context
  const begun = await begin(job, control)
  const { source, state, place, crawlId } = begun
  const isFull = state.mode === 'full'
  const { signal } = control
  const link = await connect({ internal: context.internal, log }, job, source.integrationId)
  const known = isFull ? await keysBefore(database, source, signal) : undefined
  const store = createCrawlStore({ database, control, job, source, crawlId, known, state })
  const crawl: Crawl<unknown> = {
    config: source.config,
    connection: link.connection,
    mode: state.mode,
    // Where nothing was removed up to a place, more is gone than what is new would tell.
    cursor: isFull && place?.isSwept !== true ? undefined : place?.cursor,
    versionsOf: (parts) => database.read(source, (_db, query) => versionsOf(query, source, parts, isFull)),
    outbound: context.outbound,
    protocols: context.protocols,
    signal,
    log,
    now,
  }
  let failure: JobFailure | undefined
  const pages = heard(readerOf(context, source).crawl(crawl), (error) => {
    failure = error
  })
  try {
    const reading = {
      config: source.config,
      from: state.kept,
      known,
      marks: isFull ? undefined : rowMarks(begun.isResumed ? (place?.rows ?? null) : null),
      ...{ signal, now },
    }
    const end = await readPages(pages, reading, store.store)
    if (isFull && end === 'complete') await store.sweep()
    await control.finish(async (tx) => {
      const locked = await sourceOf(tx, job)
      const held = store.heldPlace()
      if (held !== undefined) await keepPlace(tx.query, locked, held)
      await noteCrawled(tx.query, locked, { isWhole: isFull && end === 'complete' && !store.hasSkipped() })
      const { kept: _kept, ...result } = store.state()
      return conclude(tx, job, locked, { ...result, cursor_after: held?.cursor ?? result.cursor_after })
    })
  } catch (error) {
    if (error === failure && failure !== undefined && !signal.aborted) await link.report(failure)
    throw error
  } finally {
    await pages.return('unchanged').catch((err: unknown) => log.warn({ err, job: job.id }, 'a reader did not close'))
  }
  await link.report()
}

interface Begun {
  source: LockedSource
  state: CrawlState
  place: Place | undefined
  /** Names this attempt. */
  crawlId: string
  /** Whether it goes on where an earlier attempt had come to. */
  isResumed: boolean
}

async function begin(job: Job, control: Control): Promise<Begun> {
  const input = job.input as SyncInput & { trigger: 'manual' } // nothing is read for an upload
  const earlier = job.detail as Partial<CrawlState> // written by crawls alone
  let begun: Begun | undefined
  await control.checkpoint(async (tx) => {
    const source = await sourceOf(tx, job)
    refusePausedSync(source)
    const place = await findPlace(tx.query, source)
    const mode = earlier.mode ?? input.mode ?? source.syncMode
    const kept = earlier.kept ?? noTally
    const isWhole = mode === 'full'
    if (earlier.mode === undefined) await beginSchema(tx.query, source, { isWhole })
    else await resumeSchema(tx.query, source, { isWhole, misfits: kept.misfits })
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
    return { detail: { ...state }, isFurther: false }
  })
  if (begun === undefined) throw new Error('a checkpoint runs its work')
  return begun
}

function readerOf({ readers }: CrawlContext, { provider }: LockedSource): SourceReader<unknown> {
  const reader = provider === 'upload' ? undefined : readers[provider]
  if (reader === undefined)
    throw new JobFailure({ code: 'config', message: `Nothing can be read from ${provider}`, retryable: false })
  return reader as SourceReader<unknown> // it is given the config of a source of its provider
}

/** Pages as they come; how reading them failed is told apart from how storing them did. */
async function* heard(
  pages: AsyncGenerator<Page, CrawlEnd>,
  failed: (error: JobFailure) => void,
): AsyncGenerator<Page, CrawlEnd> {
  try {
    return yield* pages
  } catch (error) {
    if (error instanceof JobFailure) failed(error)
    throw error
  }
}
