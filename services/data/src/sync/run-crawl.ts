import { newId } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { Context } from '../context.ts'
import { refusedRowsAfter } from '../ingest/refused-rows.ts'
import { loadProtection } from '../privacy/load-protection.ts'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../providers/source-reader.ts'
import type { Client } from '../store/client.ts'
import { findSavedCursor, recordCrawlEnd, type SavedCursor, saveCursor } from '../store/sources/crawl-cursor.ts'
import { type LockedSource, saveRefusedRows } from '../store/sources/locked-source.ts'
import { beginObservedSchema, resumeObservedSchema } from '../store/sources/observed-schema.ts'
import { listKnownParts, listPartVersions } from '../store/sources/source-parts.ts'
import { readPages } from './batching/read-pages.ts'
import { createResumeDedup } from './batching/resume-dedup.ts'
import { emptyTotals } from './batching/sync-counts.ts'
import { deadlineFailure, startCrawlDeadline } from './crawl-deadline.ts'
import { assertNotPaused, type CrawlSession } from './crawl-session.ts'
import { type CrawlWriter, createCrawlWriter, doubtOf } from './crawl-writer.ts'
import { readExistingKeys } from './delete-missing.ts'
import { finishSync, lockSyncSource } from './finish-sync.ts'
import { createRedaction, resolveIntegration } from './integration-access.ts'
import { type CrawlState, noCounts, type SyncInput } from './sync-job.ts'

export type CrawlContext = Pick<
  Context,
  'config' | 'database' | 'internal' | 'sealer' | 'outbound' | 'protocols' | 'readers' | 'startTimer' | 'log' | 'now'
>
type Control = JobControl<Client>

/**
 * Runs one attempt at a sync that reads its source. Stored batches stay stored, with the cursor after them. An
 * incremental crawl resumes from the cursor; a full crawl starts over, except for completed parts, and deletes records
 * that the source no longer has.
 */
export async function runCrawl(context: CrawlContext, job: Job, control: Control): Promise<void> {
  const { config, database, startTimer, log, now } = context
  const start = await startCrawl(job, control)
  const { source, state, savedCursor, crawlId } = start
  const isFull = state.mode === 'full'
  const { integration, report } = await resolveIntegration(context, job, source.integrationId)
  const existingKeys = isFull ? await readExistingKeys(database, source, control.signal) : undefined
  const session: CrawlSession = {
    database,
    control,
    job,
    source,
    crawlId,
    existingKeys,
    allowsDeletions: start.allowsDeletions,
  }
  const writer = createCrawlWriter(session, state)
  const protection = await loadProtection(context, source.workspaceId, source)
  const reader = findReader(context, source)
  const limitMs = config.CRAWL_TIMEOUT_SECONDS * 1_000
  const deadline = startCrawlDeadline(startTimer, limitMs, control.signal, () =>
    deadlineFailure(limitMs, reader.address({ config: source.config, integration }), state, writer.state()),
  )
  const { signal } = deadline
  let readFailure: JobFailure | undefined
  const request = createRequest(context, start, { integration, protection, signal })
  const redact = createRedaction(integration, source.config)
  const pages = captureReadFailure(reader.crawl(request), redact, (failure) => {
    readFailure = failure
  })
  try {
    const recentRowHashes = start.isResumed ? (savedCursor?.recentRowHashes ?? null) : null
    const options = {
      config: source.config,
      previousTotals: state.kept,
      existingKeys,
      dedup: isFull ? undefined : createResumeDedup(recentRowHashes),
      signal,
      now,
      // Without a key, the rows would stand beside those that they replace.
      beforeOnly: isFull && !source.config.key && !start.isResumed ? writer.assertDeletions : undefined,
    }
    const result = await readPages(pages, options, writer.writeBatch)
    deadline.release()
    const isComplete = isFull && result !== 'unchanged'
    if (isComplete) await writer.deleteMissing(doubtOf(result))
    await finishCrawl(session, writer, isComplete)
  } catch (error) {
    if (readFailure !== undefined && error === readFailure && !control.signal.aborted) await report(readFailure)
    throw error
  } finally {
    deadline.release()
    await pages
      .return('unchanged')
      .catch((err: unknown) =>
        log.warn({ event: 'source_reader.close_failed', err, job: job.id }, 'failed to close a source reader'),
      )
  }
  await report()
}

/** The state of a crawl at its start. */
interface CrawlStart {
  source: LockedSource
  state: CrawlState
  savedCursor: SavedCursor | undefined
  /** Identifies this attempt. */
  crawlId: string
  /** True if an earlier attempt at the same sync made progress. */
  isResumed: boolean
  allowsDeletions: boolean
}

async function startCrawl(job: Job, control: Control): Promise<CrawlStart> {
  const input = job.input as SyncInput & { trigger: 'manual' } // an upload is never crawled
  const earlier = job.detail as Partial<CrawlState> // written by crawls alone
  const isResumed = earlier.mode !== undefined
  let start: CrawlStart | undefined
  await control.checkpoint(async (tx) => {
    const source = await lockSyncSource(tx, job)
    assertNotPaused(source)
    const savedCursor = await findSavedCursor(tx.query, source)
    const mode = earlier.mode ?? input.mode ?? source.syncMode
    const kept = earlier.kept ?? emptyTotals
    const isComplete = mode === 'full'
    if (isResumed) await resumeObservedSchema(tx.query, source, { isComplete, typeMismatches: kept.type_mismatches })
    else await beginObservedSchema(tx.query, source, { isComplete })
    const { seen, failed, bad_rows, without_key, footers } = kept
    const cursor = savedCursor?.cursor ?? null
    const state: CrawlState = {
      mode,
      counts: { ...(earlier.counts ?? noCounts), seen, failed },
      bad_rows,
      ...(without_key === undefined ? {} : { without_key }),
      ...(footers === undefined ? {} : { footers }),
      ...(earlier.warnings === undefined ? {} : { warnings: earlier.warnings }),
      cursor_before: isResumed ? (earlier.cursor_before ?? null) : cursor,
      cursor_after: cursor,
      kept,
    }
    start = {
      source,
      state,
      savedCursor,
      crawlId: newId('sync'),
      isResumed,
      allowsDeletions: input.allow_deletions === true,
    }
    return { detail: { ...state }, isProgress: false }
  })
  if (start === undefined) throw new Error('checkpoint did not run its work')
  return start
}

function createRequest(
  { database, outbound, protocols, startTimer, log, now }: CrawlContext,
  { source, state, savedCursor, allowsDeletions }: CrawlStart,
  access: Pick<CrawlRequest<unknown>, 'integration' | 'protection' | 'signal'>,
): CrawlRequest<unknown> {
  const isFull = state.mode === 'full'
  // After a change of the settings the source may have other fields.
  const isSameSource = source.indexedGeneration === source.generation && source.recordCount > 0
  // Without applied deletions, "unchanged since the cursor" does not mean that there is nothing to delete.
  const isCursorUsable = !isFull || savedCursor?.hasAppliedDeletions === true
  return {
    config: source.config,
    ...access,
    mode: state.mode,
    cursor: isCursorUsable ? savedCursor?.cursor : undefined,
    lastCursor: savedCursor?.cursor,
    knownFields: isSameSource && !allowsDeletions ? (source.previousFields ?? source.fields) : [],
    recordCount: source.recordCount,
    findPartVersions: (parts) => database.read(source, (_db, query) => listPartVersions(query, source, parts, isFull)),
    findKnownParts: (parts) => database.read(source, (_db, query) => listKnownParts(query, source, parts)),
    outbound,
    protocols,
    log,
    now,
    startTimer,
  }
}

function finishCrawl({ control, job }: CrawlSession, writer: CrawlWriter, isComplete: boolean): Promise<void> {
  return control.finish(async (tx) => {
    const source = await lockSyncSource(tx, job)
    const cursor = writer.pendingCursor()
    if (cursor !== undefined) await saveCursor(tx.query, source, cursor)
    await recordCrawlEnd(tx.query, source, { isComplete: isComplete && !writer.hasSkippedParts() })
    const { kept: _kept, without_key: _withoutKey, footers = 0, ...result } = writer.state()
    const isWhole = isComplete && !writer.hasSkippedParts()
    await saveRefusedRows(tx.query, source, refusedRowsAfter(source, { counts: result.counts, footers, isWhole }))
    return finishSync(tx, job, source, { ...result, cursor_after: cursor?.cursor ?? result.cursor_after })
  })
}

function findReader({ readers }: CrawlContext, { provider }: LockedSource): SourceReader<unknown> {
  const reader = provider === 'upload' ? undefined : readers[provider]
  if (reader === undefined)
    throw new JobFailure({ code: 'config', message: `Sources of ${provider} cannot be read`, retryable: false })
  return reader as SourceReader<unknown> // it gets the config of a source of its provider
}

/**
 * Yields pages and captures the error of reading them, to tell it from an error of storing them. Neither it nor the
 * warnings quote a secret.
 */
async function* captureReadFailure(
  pages: AsyncGenerator<Page, CrawlResult>,
  redact: (text: string) => string,
  capture: (failure: JobFailure) => void,
): AsyncGenerator<Page, CrawlResult> {
  try {
    for (;;) {
      const { done, value } = await pages.next()
      if (done) return value
      const { warnings = [] } = value
      yield { ...value, warnings: warnings.map((warning) => ({ ...warning, message: redact(warning.message) })) }
    }
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    const failure = new JobFailure({ ...error.error, message: redact(error.message) }, { cause: error })
    capture(failure)
    throw failure
  } finally {
    await pages.return('unchanged')
  }
}
