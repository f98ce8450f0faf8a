import { problem, type SyncWarning } from '@wp/contracts'
import { assertDeletionsAllowed, doubtOfWarnings, isDoubt, keptRecordsWarning } from '../ingest/check-deletions.ts'
import { protectsAlike } from '../privacy/row-protection.ts'
import { crawlFailure } from '../providers/crawl-failure.ts'
import type { CrawlResult } from '../providers/source-reader.ts'
import { pinFormat } from '../schema/source-format.ts'
import { type UpsertCounts, upsertRecords } from '../store/records/upsert-records.ts'
import { type SavedCursor, saveCursor } from '../store/sources/crawl-cursor.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import {
  completeParts,
  detachRecords,
  listEarlierParts,
  markPartsSeen,
  upsertParts,
} from '../store/sources/source-parts.ts'
import type { PageBatch } from './batching/page-batcher.ts'
import { assertStorageQuotas, type CrawlSession, meterCrawledRecords, runCrawlStep } from './crawl-session.ts'
import { countMissing, deleteMissing, forEachStep, listMissingRecords } from './delete-missing.ts'
import type { CrawlState } from './sync-job.ts'

/** Writes the batches of a crawl. */
export interface CrawlWriter {
  /** Checks the deletions before the rows of a crawl are stored. @throws Problem `too_many_deletions` */
  assertDeletions(batch: PageBatch, result: CrawlResult): Promise<void>
  writeBatch(batch: PageBatch): Promise<void>
  /**
   * Deletes what the crawl did not read. Call it only after a complete crawl.
   * @param doubt a sign that the source did not send every row
   * @throws Problem `too_many_deletions`; nothing is deleted then
   */
  deleteMissing(doubt: string | undefined): Promise<void>
  state(): CrawlState
  /** Returns the cursor to save at the end of a full crawl, once all missing records are deleted. */
  pendingCursor(): SavedCursor | undefined
  /** Returns true if unchanged parts were not read. */
  hasSkippedParts(): boolean
}

export function createCrawlWriter(session: CrawlSession, initialState: CrawlState): CrawlWriter {
  let state = initialState
  let pendingCursor: SavedCursor | undefined
  let hasSkippedParts = false
  return {
    async assertDeletions(batch, result) {
      const hasParts = batch.completedParts.length + batch.unchangedParts.length > 0
      if (hasParts || result === 'unchanged') return
      const read = stateAfterBatch(state, batch, { created: 0, updated: 0 }, true)
      await checkDeletions(session, read, { hasSkippedParts, doubt: doubtOf(result), isStored: false })
    },
    async writeBatch(batch) {
      hasSkippedParts ||= batch.unchangedParts.length > 0
      state = await writeBatch(session, state, batch)
      if (isFull(session) && batch.savedCursor !== undefined)
        pendingCursor = { ...batch.savedCursor, hasAppliedDeletions: true }
    },
    async deleteMissing(doubt) {
      const kept = await checkDeletions(session, state, { hasSkippedParts, doubt })
      if (kept === undefined) state = await deleteMissing(session, state)
      else {
        state = { ...state, warnings: addWarnings(state.warnings, [kept]) }
        // The next full crawl has to read everything again to apply the deletions.
        if (pendingCursor !== undefined) pendingCursor = { ...pendingCursor, hasAppliedDeletions: false }
      }
    },
    state: () => state,
    pendingCursor: () => pendingCursor,
    hasSkippedParts: () => hasSkippedParts,
  }
}

export const doubtOf = (result: CrawlResult): string | undefined =>
  typeof result === 'object' ? result.doubt : undefined

const isFull = ({ existingKeys }: CrawlSession): boolean => existingKeys !== undefined

/** Asserts that the missing records may be deleted. Returns a warning if they must be kept. */
async function checkDeletions(
  session: CrawlSession,
  { counts, warnings, without_key: withoutKey = 0 }: CrawlState,
  { hasSkippedParts, doubt, ...more }: { hasSkippedParts: boolean; doubt: string | undefined; isStored?: boolean },
): Promise<SyncWarning | undefined> {
  const { allowsDeletions: isAllowed, existingKeys, source } = session
  const missing = isAllowed ? 0 : await countMissing(session)
  assertDeletionsAllowed(
    {
      missing,
      records: existingKeys?.count() ?? 0,
      hasRows: hasSkippedParts || counts.seen > counts.failed,
      doubt: doubt ?? doubtOfWarnings(warnings),
      ...more,
    },
    { maxShare: source.config.max_deletion_share, isAllowed, howToAllow },
  )
  return keptRecordsWarning({ missing, isAllowed }, { withoutKey, keyField: source.config.key })
}

const howToAllow = 'start a sync with `"allow_deletions": true`'

/**
 * Stores a batch. A full crawl also detaches what is missing from the parts that the batch completes; nothing is
 * deleted before the whole source was read.
 */
async function writeBatch(session: CrawlSession, state: CrawlState, batch: PageBatch): Promise<CrawlState> {
  const { source, crawlId } = session
  const { records, observer, completedParts, unchangedParts, savedCursor, format } = batch
  const completedNames = completedParts.map(({ name }) => name)
  const remaining = await detachMissing(session, state, batch)
  const partNames = new Set([...records.flatMap(({ part }) => (part === undefined ? [] : [part])), ...completedNames])
  const forceReindex = source.indexedGeneration !== source.generation
  return runCrawlStep(
    session,
    state,
    async (tx, locked) => {
      const { query } = tx
      if (format !== undefined && !(await pinFormat(query, locked, format)))
        throw crawlFailure(
          'config',
          'The format of the data source was changed while it was read. Start the sync again',
        )
      if (!protectsAlike(source.config, locked.config))
        throw crawlFailure(
          'config',
          '`pseudonymize` or `drop` of the data source was changed while it was read. Start the sync again',
        )
      const partIds = await upsertParts(query, locked, crawlId, [...partNames])
      const upserted = await upsertRecords(query, locked, records, { partIds, forceReindex })
      if (remaining.length > 0) await detachRecords(query, locked, remaining)
      const change = { records: upserted.created, bytes: upserted.bytes }
      await updateSourceStatistics(query, locked, change, observer)
      await completeParts(query, locked, crawlId, completedParts, isFull(session))
      if (isFull(session)) await markPartsSeen(query, locked, crawlId, unchangedParts)
      else if (savedCursor !== undefined)
        await saveCursor(query, locked, { ...savedCursor, hasAppliedDeletions: false })
      await assertStorageQuotas(query, locked, change)
      await meterCrawledRecords(tx, locked, upserted)
      return stateAfterBatch(state, batch, upserted, isFull(session))
    },
    batch.progress,
  )
}

/**
 * Detaches the records that are missing from the parts that a batch completes, in steps.
 * @returns ids left to detach together with the batch
 * @throws Problem `too_many_deletions` if a part with records has no row any more
 */
async function detachMissing(
  session: CrawlSession,
  state: CrawlState,
  { completedParts }: PageBatch,
): Promise<string[]> {
  const { allowsDeletions, crawlId, database, existingKeys, source } = session
  if (!isFull(session)) return []
  const earlierParts = (names: readonly string[]) =>
    database.read(source, (_db, query) => listEarlierParts(query, source, crawlId, names))
  for (const { name } of allowsDeletions ? [] : completedParts.filter(({ isEmpty }) => isEmpty)) {
    let deletions = 0
    for await (const ids of listMissingRecords(session, await earlierParts([name]))) deletions += ids.length
    if (deletions > 0)
      throw problem('too_many_deletions', {
        detail: `No row of "${name}" could be read, but ${deletions} records are from it. Nothing was deleted. Check it; to delete them once, ${howToAllow}`,
        extra: { deletions, records: existingKeys?.count() ?? deletions },
      })
  }
  const partIds = await earlierParts(completedParts.map(({ name }) => name))
  return forEachStep(listMissingRecords(session, partIds), async (ids) => {
    await runCrawlStep(session, state, async ({ query }, locked) => {
      await detachRecords(query, locked, ids)
      return state
    })
  })
}

/** A full crawl keeps its cursor back until all missing records are deleted. */
function stateAfterBatch(
  state: CrawlState,
  { totals, resumableTotals, savedCursor, warnings }: PageBatch,
  { created, updated }: Pick<UpsertCounts, 'created' | 'updated'>,
  isFullCrawl: boolean,
): CrawlState {
  const { counts } = state
  return {
    ...state,
    counts: {
      seen: totals.seen,
      created: counts.created + created,
      updated: counts.updated + updated,
      deleted: counts.deleted,
      failed: totals.failed,
    },
    bad_rows: totals.bad_rows,
    ...(totals.without_key === undefined ? {} : { without_key: totals.without_key }),
    ...(totals.footers === undefined ? {} : { footers: totals.footers }),
    ...(warnings.length === 0 ? {} : { warnings: addWarnings(state.warnings, warnings) }),
    cursor_after: isFullCrawl ? state.cursor_after : (savedCursor?.cursor ?? state.cursor_after),
    kept: resumableTotals,
  }
}

const maxWarnings = 100

/** Adds warnings that are not listed yet: each page of a feed may cause the same. Those that forbid deletions stay. */
function addWarnings(listed: readonly SyncWarning[] = [], added: readonly SyncWarning[]): SyncWarning[] {
  const texts = new Map([...listed, ...added].map((warning) => [JSON.stringify(warning), warning]))
  return [...texts.values()].toSorted((a, b) => Number(isDoubt(b)) - Number(isDoubt(a))).slice(0, maxWarnings)
}
