import { hash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { CrawlResult, Page } from '../../src/providers/source-reader.ts'
import { collectExistingKeys, type ExistingKeys } from '../../src/sync/batching/existing-keys.ts'
import type { PageBatch } from '../../src/sync/batching/page-batcher.ts'
import { type ReadPagesOptions, readPages } from '../../src/sync/batching/read-pages.ts'
import { createResumeDedup } from '../../src/sync/batching/resume-dedup.ts'
import { emptyTotals } from '../../src/sync/batching/sync-counts.ts'
import { createRows } from '../support/scripted-crawls.ts'

describe('collectExistingKeys', () => {
  const collectKeys = (keys: readonly string[], page = 100): Promise<ExistingKeys> =>
    collectExistingKeys(
      (async function* () {
        for (let at = 0; at < keys.length; at += page)
          yield Buffer.concat(keys.slice(at, at + page).map((key) => hash('sha256', key, 'buffer').subarray(0, 8)))
      })(),
    )

  it('reports the keys that were not marked as seen', async () => {
    const keys = Array.from({ length: 2_345 }, (_, at) => `schlüssel ${at}`)
    const found = await collectKeys(keys)
    for (const key of keys.slice(100)) found.markSeen(key)
    for (const key of ['new', 'schlüssel 200', 'schlüssel 200']) found.markSeen(key)
    expect(keys.filter((key) => found.isMissing(key))).toEqual(keys.slice(0, 100))
    expect([found.countUnseen(), found.isMissing('new'), found.isMissing('')]).toEqual([100, false, false])
  })

  it('reports no missing key for an empty source', async () => {
    const found = await collectKeys([])
    found.markSeen('a')
    expect([found.countUnseen(), found.isMissing('a')]).toEqual([0, false])
  })
})

describe('createResumeDedup', () => {
  it('recognizes each of the last thousand rows as often as it was read before', () => {
    const first = createResumeDedup(null)
    const rows = Array.from({ length: 3_500 }, (_, at) => `row ${at}`)
    for (const row of [...rows, 'twin', 'twin']) expect(first.isRepeated(row)).toBe(false)
    expect(first.recentRowHashes()).toHaveLength(8_000)
    const second = createResumeDedup(first.recentRowHashes())
    expect(['row 3499', 'twin', 'other', 'twin', 'twin', 'row 3'].map((row) => second.isRepeated(row))).toEqual([
      ...[true, true, false, true, false, false],
    ])
    // A third attempt recognizes them too.
    expect(
      ['row 3499', 'other', 'twin'].map((row) => createResumeDedup(second.recentRowHashes()).isRepeated(row)),
    ).toEqual([true, true, true])
  })
})

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
    const previous = { seen: 10, failed: 1, bad_rows: [{ line: 3, reason: 'is bad' }], misfits: {} }
    const { batches } = await readBatches([{ rows: [...createRows(0, 2), { line: 9, reason: 'is worse' }] }], {
      previousTotals: previous,
    })
    expect(batches.map(({ totals, resumableTotals }) => [totals, resumableTotals])).toEqual([
      [
        { ...previous, seen: 13, failed: 2, bad_rows: [...previous.bad_rows, { line: 9, reason: 'is worse' }] },
        previous,
      ],
    ])
  })
})
