import { createPrefetch } from '../../ingest/prefetch.ts'
import type { CrawlResult, Page } from '../../providers/source-reader.ts'
import { createPageBatcher, type PageBatch, type PageBatcherOptions } from './page-batcher.ts'

export interface ReadPagesOptions extends PageBatcherOptions {
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
  /** Called before all rows are stored, if they are a single batch. */
  beforeOnly?: ((batch: PageBatch, result: CrawlResult) => Promise<void>) | undefined
}

/** A batch is stored after this time even if it is small. */
const maxBatchAgeMs = 2_000

/**
 * Collects pages into batches and stores them; reads the next batch while one is being stored.
 * @throws the error of reading or storing; batches stored before it remain
 */
export async function readPages(
  pages: AsyncGenerator<Page, CrawlResult>,
  { signal, now, beforeOnly, ...options }: ReadPagesOptions,
  store: (batch: PageBatch) => Promise<void>,
): Promise<CrawlResult> {
  const batcher = createPageBatcher(options)
  const prefetch = createPrefetch()
  let storedAt = now()
  let hasStored = false

  async function flush(result?: CrawlResult): Promise<void> {
    storedAt = now()
    const batch = batcher.take()
    if (batch === undefined) return
    if (result !== undefined && !hasStored) await beforeOnly?.(batch, result)
    hasStored = true
    await prefetch.start(() => store(batch))
  }

  async function addPage(page: Page): Promise<void> {
    batcher.addHead(page)
    for (const row of page.rows) {
      batcher.addRow(row, page.part)
      if (batcher.isFull()) await flush()
    }
    batcher.addNotices(page)
    if (batcher.isFull() || now() - storedAt >= maxBatchAgeMs) await flush()
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await pages.next()
      if (next.done === true) {
        await flush(next.value)
        await prefetch.done()
        return next.value
      }
      await addPage(next.value)
    }
  } finally {
    await prefetch.settled()
  }
}
