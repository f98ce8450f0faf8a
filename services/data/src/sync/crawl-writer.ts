import type { Transaction } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { deleteRecords } from '../store/records/delete-records.ts'
import { updateSourceStatistics, upsertRecords } from '../store/records/upsert-records.ts'
import { type SavedCursor, saveCursor } from '../store/sources/crawl-cursor.ts'
import {
  completeParts,
  deleteParts,
  listEarlierParts,
  listMissingParts,
  markPartsSeen,
  upsertParts,
} from '../store/sources/source-parts.ts'
import type { LockedSource } from '../store/sources/sources.ts'
import { listMissingRecords } from './delete-missing.ts'
import type { ExistingKeys } from './existing-keys.ts'
import { lockSyncSource } from './finish-sync.ts'
import type { PageBatch } from './read-pages.ts'
import type { CrawlState } from './sync-job.ts'

interface CrawlWriterOptions {
  database: Context['database']
  control: JobControl<PrismaClient>
  job: Job
  source: LockedSource
  crawlId: string
  /** The keys there were before; undefined: nothing is removed. */
  known: ExistingKeys | undefined
  state: CrawlState
}

/** Writes what a crawl finds, each step in one transaction with how far it has come, while the lease is held. */
export interface CrawlWriter {
  writeBatch(batch: PageBatch): Promise<void>
  /** Everything was read: removes what is gone. */
  deleteMissing(): Promise<void>
  state(): CrawlState
  /** Where the next crawl may go on, which holds only once all that is gone was removed. */
  pendingCursor(): SavedCursor | undefined
  /** Whether there are parts that were not read, as they are unchanged. */
  hasSkippedParts(): boolean
}

const maxDeletions = 1_000

export function createCrawlWriter(options: CrawlWriterOptions): CrawlWriter {
  const { database, control, job, source, crawlId, known } = options
  const isFull = known !== undefined
  const reword = source.indexedGeneration !== source.generation
  let { state } = options
  let held: SavedCursor | undefined
  let hasSkipped = false

  /** One step; `work` answers what the state is after it, and may be run again. */
  async function step(
    work: (tx: Transaction<PrismaClient>, source: LockedSource) => Promise<CrawlState>,
    progress?: number,
  ): Promise<void> {
    control.signal.throwIfAborted()
    let next = state
    await control.checkpoint(async (tx) => {
      const locked = await lockSyncSource(tx, job)
      assertNotPaused(locked)
      next = await work(tx, locked)
      return { detail: { ...next }, ...(progress === undefined ? {} : { progress: Math.min(0.99, progress) }) }
    })
    state = next
  }

  const remove = (ids: readonly string[]) =>
    step(async ({ query }, locked) => {
      const deleted = await deleteRecords(query, locked, ids)
      await updateSourceStatistics(query, locked, { created: 0, deleted }, nothingObserved)
      return withDeleted(state, deleted)
    })

  /** Removes what is gone from parts; answers a few that are left to be removed with something else. */
  async function removeFrom(parts: readonly (number | undefined)[]): Promise<string[]> {
    let left: string[] = []
    if (known === undefined) return left
    for (const part of parts)
      for await (const gone of listMissingRecords(database, source, known, part)) {
        left.push(...gone)
        for (; left.length > maxDeletions; left = left.slice(maxDeletions)) await remove(left.slice(0, maxDeletions))
      }
    return left
  }

  async function store(batch: PageBatch): Promise<void> {
    const {
      records,
      observer,
      completedParts: ended,
      unchangedParts,
      savedCursor: place,
      totals: tally,
      resumableTotals: kept,
      progress,
    } = batch
    hasSkipped ||= unchangedParts.length > 0
    const endedNames = ended.map(({ name }) => name)
    const earlier = isFull
      ? await database.read(source, (_db, query) => listEarlierParts(query, source, crawlId, endedNames))
      : []
    const gone = await removeFrom(earlier)
    await step(async ({ query }, locked) => {
      const partsOfDrafts = records.flatMap(({ part }) => (part === undefined ? [] : [part]))
      const parts = await upsertParts(query, locked, crawlId, [...new Set([...partsOfDrafts, ...endedNames])])
      const { created, updated } = await upsertRecords(query, locked, records, { partIds: parts, forceReindex: reword })
      const deleted = gone.length === 0 ? 0 : await deleteRecords(query, locked, gone)
      await updateSourceStatistics(query, locked, { created, deleted }, observer)
      await completeParts(query, locked, crawlId, ended, isFull)
      if (isFull) await markPartsSeen(query, locked, crawlId, unchangedParts)
      else if (place !== undefined) await saveCursor(query, locked, { ...place, hasAppliedDeletions: false })
      const { counts } = state
      return {
        ...state,
        counts: {
          seen: tally.seen,
          created: counts.created + created,
          updated: counts.updated + updated,
          deleted: counts.deleted + deleted,
          failed: tally.failed,
        },
        bad_rows: tally.bad_rows,
        cursor_after: isFull ? state.cursor_after : (place?.cursor ?? state.cursor_after),
        kept,
      }
    }, progress)
    if (isFull && place !== undefined) held = { ...place, hasAppliedDeletions: true }
  }

  async function sweep(): Promise<void> {
    const gone = await removeFrom([undefined])
    if (gone.length > 0) await remove(gone)
    for (;;) {
      const parts = await database.read(source, (_db, query) => listMissingParts(query, source, crawlId))
      if (parts.length === 0) return
      const left = await removeFrom(parts)
      await step(async ({ query }, locked) => {
        const deleted = await deleteRecords(query, locked, left)
        await updateSourceStatistics(query, locked, { created: 0, deleted }, nothingObserved)
        await deleteParts(query, locked, parts)
        return withDeleted(state, deleted)
      })
    }
  }

  return {
    writeBatch: store,
    deleteMissing: sweep,
    state: () => state,
    pendingCursor: () => held,
    hasSkippedParts: () => hasSkipped,
  }
}

const nothingObserved = { fields: new Map(), typeMismatches: new Map(), observe() {} }

const withDeleted = (state: CrawlState, deleted: number): CrawlState => ({
  ...state,
  counts: { ...state.counts, deleted: state.counts.deleted + deleted },
})

/** @throws JobFailure */
export function assertNotPaused({ status }: Pick<LockedSource, 'status'>): void {
  if (status === 'paused')
    throw new JobFailure({ code: 'config', message: 'The data source is paused', retryable: false })
}
