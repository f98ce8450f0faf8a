import type { StorageChange } from '../store/quotas.ts'
import { deleteRecords } from '../store/records/delete-records.ts'
import { type UpsertCounts, upsertRecords } from '../store/records/upsert-records.ts'
import { type SavedCursor, saveCursor } from '../store/sources/crawl-cursor.ts'
import { updateSourceStatistics } from '../store/sources/observed-schema.ts'
import { completeParts, listEarlierParts, markPartsSeen, upsertParts } from '../store/sources/source-parts.ts'
import type { PageBatch } from './batching/page-batcher.ts'
import { assertStorageQuotas, type CrawlSession, meterCrawledRecords, runCrawlStep } from './crawl-session.ts'
import { deleteMissing, deleteMissingFrom } from './delete-missing.ts'
import type { CrawlState } from './sync-job.ts'

/** Writes the batches of a crawl. */
export interface CrawlWriter {
  writeBatch(batch: PageBatch): Promise<void>
  /** Deletes what the crawl did not read. Call it only after a complete crawl. */
  deleteMissing(): Promise<void>
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
    async writeBatch(batch) {
      hasSkippedParts ||= batch.unchangedParts.length > 0
      state = await writeBatch(session, state, batch)
      if (isFull(session) && batch.savedCursor !== undefined)
        pendingCursor = { ...batch.savedCursor, hasAppliedDeletions: true }
    },
    async deleteMissing() {
      state = await deleteMissing(session, state)
    },
    state: () => state,
    pendingCursor: () => pendingCursor,
    hasSkippedParts: () => hasSkippedParts,
  }
}

const nothingDeleted: StorageChange = { records: 0, bytes: 0 }

const isFull = ({ existingKeys }: CrawlSession): boolean => existingKeys !== undefined

/** Stores a batch. A full crawl also deletes what is missing from the parts that the batch completes. */
async function writeBatch(session: CrawlSession, state: CrawlState, batch: PageBatch): Promise<CrawlState> {
  const { database, source, crawlId } = session
  const { records, observer, completedParts, unchangedParts, savedCursor } = batch
  const completedNames = completedParts.map(({ name }) => name)
  const earlierParts = isFull(session)
    ? await database.read(source, (_db, query) => listEarlierParts(query, source, crawlId, completedNames))
    : []
  const { state: current, remaining } = await deleteMissingFrom(session, state, earlierParts)
  const partNames = new Set([...records.flatMap(({ part }) => (part === undefined ? [] : [part])), ...completedNames])
  const forceReindex = source.indexedGeneration !== source.generation
  return runCrawlStep(
    session,
    current,
    async (tx, locked) => {
      const { query } = tx
      const partIds = await upsertParts(query, locked, crawlId, [...partNames])
      const upserted = await upsertRecords(query, locked, records, { partIds, forceReindex })
      const deleted = remaining.length === 0 ? nothingDeleted : await deleteRecords(query, locked, remaining)
      const change = { records: upserted.created - deleted.records, bytes: upserted.bytes - deleted.bytes }
      await updateSourceStatistics(query, locked, change, observer)
      await completeParts(query, locked, crawlId, completedParts, isFull(session))
      if (isFull(session)) await markPartsSeen(query, locked, crawlId, unchangedParts)
      else if (savedCursor !== undefined)
        await saveCursor(query, locked, { ...savedCursor, hasAppliedDeletions: false })
      await assertStorageQuotas(query, locked, change)
      await meterCrawledRecords(tx, locked, upserted)
      return stateAfterBatch(current, batch, { ...upserted, deleted: deleted.records }, isFull(session))
    },
    batch.progress,
  )
}

/** A full crawl keeps its cursor back until all missing records are deleted. */
function stateAfterBatch(
  state: CrawlState,
  { totals, resumableTotals, savedCursor }: PageBatch,
  { created, updated, deleted }: UpsertCounts & { deleted: number },
  isFullCrawl: boolean,
): CrawlState {
  const { counts } = state
  return {
    ...state,
    counts: {
      seen: totals.seen,
      created: counts.created + created,
      updated: counts.updated + updated,
      deleted: counts.deleted + deleted,
      failed: totals.failed,
    },
    bad_rows: totals.bad_rows,
    cursor_after: isFullCrawl ? state.cursor_after : (savedCursor?.cursor ?? state.cursor_after),
    kept: resumableTotals,
  }
}
