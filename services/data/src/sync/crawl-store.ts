import type { Transaction } from '@wp/database'
import { type Job, type JobControl, JobFailure } from '@wp/jobs'
import type { PrismaClient } from '#db'
import type { Context } from '../context.ts'
import { noteStored, storeDrafts } from '../store/batches.ts'
import { keepPlace, type Place } from '../store/crawled.ts'
import { deleteRecords } from '../store/delete-records.ts'
import { earlierParts, endParts, findParts, goneParts, keepParts, removeParts } from '../store/parts.ts'
import type { LockedSource } from '../store/sources.ts'
import { sourceOf } from './conclude.ts'
import type { KnownKeys } from './known-keys.ts'
import type { PageBatch } from './read-pages.ts'
import { goneFrom } from './sweep.ts'
import type { CrawlState } from './sync.ts'

interface CrawlStoreOptions {
  database: Context['database']
  control: JobControl<PrismaClient>
  job: Job
  source: LockedSource
  crawlId: string
  /** The keys there were before; undefined: nothing is removed. */
  known: KnownKeys | undefined
  state: CrawlState
}

/** Writes what a crawl finds, each step in one transaction with how far it has come, while the lease is held. */
export interface CrawlStore {
  store(batch: PageBatch): Promise<void>
  /** Everything was read: removes what is gone. */
  sweep(): Promise<void>
  state(): CrawlState
  /** Where the next crawl may go on, which holds only once all that is gone was removed. */
  heldPlace(): Place | undefined
  /** Whether there are parts that were not read, as they are unchanged. */
  hasSkipped(): boolean
}

const most = 1_000

export function createCrawlStore(options: CrawlStoreOptions): CrawlStore {
  const { database, control, job, source, crawlId, known } = options
  const isFull = known !== undefined
  const reword = source.readAs !== source.reading
  let { state } = options
  let held: Place | undefined
  let hasSkipped = false

  /** One step; `work` answers what the state is after it, and may be run again. */
  async function step(
    work: (tx: Transaction<PrismaClient>, source: LockedSource) => Promise<CrawlState>,
    progress?: number,
  ): Promise<void> {
    control.signal.throwIfAborted()
    let next = state
    await control.checkpoint(async (tx) => {
      const locked = await sourceOf(tx, job)
      refusePausedSync(locked)
      next = await work(tx, locked)
      return { detail: { ...next }, ...(progress === undefined ? {} : { progress: Math.min(0.99, progress) }) }
    })
    state = next
  }

  const remove = (ids: readonly string[]) =>
    step(async ({ query }, locked) => {
      const deleted = await deleteRecords(query, locked, ids)
      await noteStored(query, locked, { created: 0, deleted }, nothing)
      return withDeleted(state, deleted)
    })

  /** Removes what is gone from parts; answers a few that are left to be removed with something else. */
  async function removeFrom(parts: readonly (number | undefined)[]): Promise<string[]> {
    let left: string[] = []
    if (known === undefined) return left
    for (const part of parts)
      for await (const gone of goneFrom(database, source, known, part)) {
        left.push(...gone)
        for (; left.length > most; left = left.slice(most)) await remove(left.slice(0, most))
      }
    return left
  }

  async function store(batch: PageBatch): Promise<void> {
    const { drafts, seen, ended, unchanged, place, tally, kept, progress } = batch
    hasSkipped ||= unchanged.length > 0
    const endedNames = ended.map(({ name }) => name)
    const earlier = isFull
      ? await database.read(source, (_db, query) => earlierParts(query, source, crawlId, endedNames))
      : []
    const gone = await removeFrom(earlier)
    await step(async ({ query }, locked) => {
      const partsOfDrafts = drafts.flatMap(({ part }) => (part === undefined ? [] : [part]))
      const parts = await findParts(query, locked, crawlId, [...new Set([...partsOfDrafts, ...endedNames])])
      const { created, updated } = await storeDrafts(query, locked, drafts, { parts, reword })
      const deleted = gone.length === 0 ? 0 : await deleteRecords(query, locked, gone)
      await noteStored(query, locked, { created, deleted }, seen)
      await endParts(query, locked, crawlId, ended, isFull)
      if (isFull) await keepParts(query, locked, crawlId, unchanged)
      else if (place !== undefined) await keepPlace(query, locked, { ...place, isSwept: false })
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
    if (isFull && place !== undefined) held = { ...place, isSwept: true }
  }

  async function sweep(): Promise<void> {
    const gone = await removeFrom([undefined])
    if (gone.length > 0) await remove(gone)
    for (;;) {
      const parts = await database.read(source, (_db, query) => goneParts(query, source, crawlId))
      if (parts.length === 0) return
      const left = await removeFrom(parts)
      await step(async ({ query }, locked) => {
        const deleted = await deleteRecords(query, locked, left)
        await noteStored(query, locked, { created: 0, deleted }, nothing)
        await removeParts(query, locked, parts)
        return withDeleted(state, deleted)
      })
    }
  }

  return { store, sweep, state: () => state, heldPlace: () => held, hasSkipped: () => hasSkipped }
}

const nothing = { fields: new Map(), misfits: new Map(), note() {} }

const withDeleted = (state: CrawlState, deleted: number): CrawlState => ({
  ...state,
  counts: { ...state.counts, deleted: state.counts.deleted + deleted },
})

/** @throws JobFailure */
export function refusePausedSync({ status }: Pick<LockedSource, 'status'>): void {
  if (status === 'paused')
    throw new JobFailure({ code: 'config', message: 'The data source is paused', retryable: false })
}
