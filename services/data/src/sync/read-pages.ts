import type { SourceConfig } from '@wp/contracts'
import { addToBatch, type Batch, createBatch, isBatchFull, prepareRow } from '../ingest/batch.ts'
import { createPrefetch } from '../ingest/prefetch.ts'
import type { CrawlResult, Page } from '../providers/source-reader.ts'
import type { SavedCursor } from '../store/sources/crawl-cursor.ts'
import type { CompletedPart } from '../store/sources/source-parts.ts'
import type { ExistingKeys } from './existing-keys.ts'
import type { ResumeDedup } from './resume-dedup.ts'
import { createRowCounter, type RowTotals } from './sync-counts.ts'

/** Rows that are stored together, and what is true once they are. */
export interface PageBatch extends Batch {
  /** What the crawl has gone through, this batch included, and what of that another attempt will not read again. */
  totals: RowTotals
  resumableTotals: RowTotals
  completedParts: CompletedPart[]
  unchangedParts: string[]
  /** Where another crawl may go on, with the last rows before it. */
  savedCursor: Omit<SavedCursor, 'hasAppliedDeletions'> | undefined
  progress: number | undefined
}

export interface ReadPagesOptions {
  config: SourceConfig
  /** What an earlier attempt went through and this one will not. */
  previousTotals: RowTotals
  /** Told of the keys of all rows, also of those that could not be taken. */
  existingKeys: ExistingKeys | undefined
  /** Where the crawl goes on at its cursor. */
  dedup: ResumeDedup | undefined
  signal: AbortSignal
  now: () => number
}

/** What was read is stored after so long, however little it is. */
const maxBatchAgeMs = 2_000
const maxNotices = 1_000

/**
 * Makes batches of pages and has them stored, one while the next is read.
 * @throws what reading or storing throws; the batches before it stay stored
 */
export async function readPages(
  pages: AsyncGenerator<Page, CrawlResult>,
  { config, previousTotals: from, existingKeys: known, dedup: marks, signal, now }: ReadPagesOptions,
  store: (batch: PageBatch) => Promise<void>,
): Promise<CrawlResult> {
  const counting = createRowCounter(from)
  const storing = createPrefetch()
  let batch = createBatch(config)
  let said = nothingSaid()
  let isEmpty = true
  let storedAt = now()

  async function takePage(page: Page): Promise<void> {
    for (const row of page.rows) {
      const taken = prepareRow(row, config, page.part)
      if (taken.key !== undefined) known?.markSeen(taken.key)
      if (marks?.isRepeated(taken.fingerprint)) continue
      isEmpty = false
      counting.countRow(page.part, 'badRow' in taken ? taken.badRow : undefined)
      if ('record' in taken) addToBatch(batch, taken)
      if (isBatchFull(batch)) await flush()
    }
    hear(page)
    const isLongAgo = now() - storedAt >= maxBatchAgeMs
    if (isLongAgo || said.completedParts.length + said.unchangedParts.length >= maxNotices) await flush()
  }

  function hear({ part, completedPart, unchangedParts, cursor, progress }: Page): void {
    if (part !== undefined && completedPart !== undefined) {
      said.completedParts.push({ name: part, version: completedPart.version })
      counting.completePart(batch.observer.typeMismatches)
    }
    said.unchangedParts.push(...(unchangedParts ?? []))
    if (cursor !== undefined) {
      said.savedCursor = { cursor, recentRowHashes: marks?.recentRowHashes() ?? null }
      if (marks !== undefined) counting.reachCursor(batch.observer.typeMismatches)
    }
    said.progress = progress ?? said.progress
    if (completedPart !== undefined || unchangedParts !== undefined || cursor !== undefined) isEmpty = false
  }

  async function flush(): Promise<void> {
    storedAt = now()
    if (isEmpty) return
    const kept = counting.resumable()
    counting.addTypeMismatches(batch.observer.typeMismatches)
    const full: PageBatch = { ...batch, ...said, totals: counting.total(), resumableTotals: kept }
    await storing.start(() => store(full))
    batch = createBatch(config)
    said = { ...nothingSaid(), progress: said.progress }
    isEmpty = true
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await pages.next()
      if (next.done === true) {
        await flush()
        await storing.done()
        return next.value
      }
      await takePage(next.value)
    }
  } finally {
    await storing.settled()
  }
}

const nothingSaid = (): Pick<PageBatch, 'completedParts' | 'unchangedParts' | 'savedCursor' | 'progress'> => ({
  completedParts: [],
  unchangedParts: [],
  savedCursor: undefined,
  progress: undefined,
})
