import type { SourceConfig } from '@wp/contracts'
import { addTo, type Batch, beginBatch, isFull, takeRow } from '../ingest/batch.ts'
import { oneAhead } from '../ingest/one-ahead.ts'
import type { CrawlEnd, Page } from '../providers/provider.ts'
import type { EndedPart } from '../store/parts.ts'
import type { KnownKeys } from './known-keys.ts'
import type { RowMarks } from './row-marks.ts'
import { createCounting, type Tally } from './tally.ts'

/** Rows that are stored together, and what is true once they are. */
export interface PageBatch extends Batch {
  /** What the crawl has gone through, this batch included, and what of that another attempt will not read again. */
  tally: Tally
  kept: Tally
  ended: EndedPart[]
  unchanged: string[]
  /** Where another crawl may go on, with the last rows before it. */
  place: { cursor: string; rows: Uint8Array | null } | undefined
  progress: number | undefined
}

export interface PageReading {
  config: SourceConfig
  /** What an earlier attempt went through and this one will not. */
  from: Tally
  /** Told of the keys of all rows, also of those that could not be taken. */
  known: KnownKeys | undefined
  /** Where the crawl goes on at its cursor. */
  marks: RowMarks | undefined
  signal: AbortSignal
  now: () => number
}

/** What was read is stored after so long, however little it is. */
const longestMs = 2_000
const mostSaid = 1_000

/**
 * Makes batches of pages and has them stored, one while the next is read.
 * @throws what reading or storing throws; the batches before it stay stored
 */
export async function readPages(
  pages: AsyncGenerator<Page, CrawlEnd>,
  { config, from, known, marks, signal, now }: PageReading,
  store: (batch: PageBatch) => Promise<void>,
): Promise<CrawlEnd> {
  const counting = createCounting(from)
  const storing = oneAhead()
  let batch = beginBatch(config)
  let said = nothingSaid()
  let isEmpty = true
  let storedAt = now()

  async function takePage(page: Page): Promise<void> {
    for (const row of page.rows) {
      const taken = takeRow(row, config, page.part)
      if (taken.key !== undefined) known?.see(taken.key)
      if (marks?.note(taken.identity)) continue
      isEmpty = false
      counting.row(page.part, 'bad' in taken ? taken.bad : undefined)
      if ('draft' in taken) addTo(batch, taken)
      if (isFull(batch)) await flush()
    }
    hear(page)
    const isLongAgo = now() - storedAt >= longestMs
    if (isLongAgo || said.ended.length + said.unchanged.length >= mostSaid) await flush()
  }

  function hear({ part, partEnds, unchanged, cursor, progress }: Page): void {
    if (part !== undefined && partEnds !== undefined) {
      said.ended.push({ name: part, version: partEnds.version })
      counting.partEnds(batch.seen.misfits)
    }
    said.unchanged.push(...(unchanged ?? []))
    if (cursor !== undefined) {
      said.place = { cursor, rows: marks?.bytes() ?? null }
      if (marks !== undefined) counting.place(batch.seen.misfits)
    }
    said.progress = progress ?? said.progress
    if (partEnds !== undefined || unchanged !== undefined || cursor !== undefined) isEmpty = false
  }

  async function flush(): Promise<void> {
    storedAt = now()
    if (isEmpty) return
    const kept = counting.kept()
    counting.note(batch.seen.misfits)
    const full: PageBatch = { ...batch, ...said, tally: counting.all(), kept }
    await storing.begin(() => store(full))
    batch = beginBatch(config)
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

const nothingSaid = (): Pick<PageBatch, 'ended' | 'unchanged' | 'place' | 'progress'> => ({
  ended: [],
  unchanged: [],
  place: undefined,
  progress: undefined,
})
