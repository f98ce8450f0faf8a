import { describe, expect, it } from '@jest/globals'
import type { CrawlResult, Page } from '../../../src/providers/source-reader.ts'
import type { PageBatch } from '../../../src/sync/batching/page-batcher.ts'
import { type ReadPagesOptions, readPages } from '../../../src/sync/batching/read-pages.ts'
import { createResumeDedup } from '../../../src/sync/batching/resume-dedup.ts'
import { emptyTotals } from '../../../src/sync/batching/sync-counts.ts'
import { createRows } from '../../support/sources/scripted-crawls.ts'

describe('readPages', () => {
  async function readBatches(pages: readonly Page[], overrides: Partial<ReadPagesOptions> = {}) {
    const batches: PageBatch[] = []
    let readPageCount = 0
    async function* source(): AsyncGenerator<Page, CrawlResult> {
      for (const page of pages) {
        readPageCount++
        yield page
      }
      return 'complete'
    }
    const options = {
      config: { key: 'id' },
      previousTotals: emptyTotals,
      existingKeys: undefined,
      dedup: createResumeDedup(null),
    }
    const pagesReadAtStore: number[] = []
    const end = await readPages(
      source(),
      { ...options, signal: new AbortController().signal, now: () => 0, ...overrides },
      async (batch) => {
        await new Promise((resolve) => setImmediate(resolve))
        pagesReadAtStore.push(readPageCount)
        batches.push(batch)
      },
    )
    return { batches, pagesReadAtStore, end }
  }

  it('stores batches of up to a thousand rows, each with the last cursor within it', async () => {
    const { batches, end } = await readBatches([
      { rows: createRows(0, 700), cursor: 'a' },
      { rows: createRows(700, 1400), cursor: 'b' },
      { rows: createRows(1400, 1500) },
    ])
    expect(end).toBe('complete')
    expect(
      batches.map(({ records, savedCursor, totals, resumableTotals }) => [
        records.length,
        savedCursor?.cursor,
        totals.seen,
        resumableTotals.seen,
      ]),
    ).toEqual([
      [1000, 'a', 1000, 700],
      [500, 'b', 1500, 1400],
    ])
  })

  it('stores one batch at a time and reads only one ahead', async () => {
    const pages = Array.from({ length: 6 }, (_, at) => ({ rows: createRows(at * 1000, (at + 1) * 1000) }))
    const { batches, pagesReadAtStore } = await readBatches(pages)
    expect(batches).toHaveLength(6)
    for (const [nth, read] of pagesReadAtStore.entries()) expect(read).toBeLessThanOrEqual(nth + 3)
  })

  it('stores a small batch after two seconds, and no empty batch', async () => {
    let clock = 0
    const { batches } = await readBatches(
      [{ rows: createRows(0, 1) }, { rows: [] }, { rows: createRows(1, 2) }, { rows: [], cursor: 'end' }],
      { now: () => (clock += 2_000) },
    )
    expect(batches.map(({ records, savedCursor }) => [records.length, savedCursor?.cursor])).toEqual([
      [1, undefined],
      [1, undefined],
      [0, 'end'],
    ])
  })

  it('adds to the totals of an earlier attempt', async () => {
    const previous = { seen: 10, failed: 1, bad_rows: [{ line: 3, reason: 'is bad' }], type_mismatches: {} }
    const { batches } = await readBatches([{ rows: [...createRows(0, 2), { line: 9, reason: 'is worse' }] }], {
      previousTotals: previous,
    })
    expect(batches.map(({ totals, resumableTotals }) => [totals, resumableTotals])).toEqual([
      [
        {
          ...previous,
          seen: 13,
          failed: 2,
          without_key: 1,
          bad_rows: [...previous.bad_rows, { line: 9, reason: 'is worse' }],
        },
        previous,
      ],
    ])
  })
})
