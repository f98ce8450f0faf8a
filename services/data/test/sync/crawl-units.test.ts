import { hash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { CrawlResult, Page } from '../../src/providers/source-reader.ts'
import { collectExistingKeys, type ExistingKeys } from '../../src/sync/batching/existing-keys.ts'
import type { PageBatch } from '../../src/sync/batching/page-batcher.ts'
import { type ReadPagesOptions, readPages } from '../../src/sync/batching/read-pages.ts'
import { createResumeDedup } from '../../src/sync/batching/resume-dedup.ts'
import { emptyTotals } from '../../src/sync/batching/sync-counts.ts'
import { createRows } from '../support/scripted-crawls.ts'

describe('known keys', () => {
  const known = (keys: readonly string[], page = 100): Promise<ExistingKeys> =>
    collectExistingKeys(
      (async function* () {
        for (let at = 0; at < keys.length; at += page)
          yield Buffer.concat(keys.slice(at, at + page).map((key) => hash('sha256', key, 'buffer').subarray(0, 8)))
      })(),
    )

  it('tell what was there and was not seen, of any number of keys', async () => {
    const keys = Array.from({ length: 2_345 }, (_, at) => `schlüssel ${at}`)
    const found = await known(keys)
    for (const key of keys.slice(100)) found.markSeen(key)
    for (const key of ['new', 'schlüssel 200', 'schlüssel 200']) found.markSeen(key)
    expect(keys.filter((key) => found.isMissing(key))).toEqual(keys.slice(0, 100))
    expect([found.countUnseen(), found.isMissing('new'), found.isMissing('')]).toEqual([100, false, false])
  })

  it('are none of a source that is empty', async () => {
    const found = await known([])
    found.markSeen('a')
    expect([found.countUnseen(), found.isMissing('a')]).toEqual([0, false])
  })
})

describe('rows that are read again', () => {
  it('are known as often as they were read, among the last thousand', () => {
    const first = createResumeDedup(null)
    const rows = Array.from({ length: 3_500 }, (_, at) => `row ${at}`)
    for (const row of [...rows, 'twin', 'twin']) expect(first.isRepeated(row)).toBe(false)
    expect(first.recentRowHashes()).toHaveLength(8_000)
    const second = createResumeDedup(first.recentRowHashes())
    expect(['row 3499', 'twin', 'other', 'twin', 'twin', 'row 3'].map((row) => second.isRepeated(row))).toEqual([
      ...[true, true, false, true, false, false],
    ])
    // A third attempt knows them as well.
    expect(
      ['row 3499', 'other', 'twin'].map((row) => createResumeDedup(second.recentRowHashes()).isRepeated(row)),
    ).toEqual([true, true, true])
  })
})

describe('batches of pages', () => {
  async function batchesOf(pages: readonly Page[], more: Partial<ReadPagesOptions> = {}) {
    const batches: PageBatch[] = []
    let read = 0
    async function* source(): AsyncGenerator<Page, CrawlResult> {
      for (const page of pages) {
        read++
        yield page
      }
      return 'complete'
    }
    const reading = {
      config: { key: 'id' },
      previousTotals: emptyTotals,
      existingKeys: undefined,
      dedup: createResumeDedup(null),
    }
    const ahead: number[] = []
    const end = await readPages(
      source(),
      { ...reading, signal: new AbortController().signal, now: () => 0, ...more },
      async (batch) => {
        await new Promise((resolve) => setImmediate(resolve))
        ahead.push(read)
        batches.push(batch)
      },
    )
    return { batches, ahead, end }
  }

  it('hold a thousand rows at most, and say what is true once they are stored, no sooner', async () => {
    const { batches, end } = await batchesOf([
      { rows: createRows(0, 700), cursor: 'a' },
      { rows: createRows(700, 1400), cursor: 'b' },
      { rows: createRows(1400, 1500) },
    ])
    expect(end).toBe('complete')
    expect(
      batches.map(({ records, savedCursor: place, totals: tally, resumableTotals: kept }) => [
        records.length,
        place?.cursor,
        tally.seen,
        kept.seen,
      ]),
    ).toEqual([
      [1000, 'a', 1000, 700],
      [500, 'b', 1500, 1400],
    ])
  })

  it('are stored one at a time, while the next is read and no more', async () => {
    const pages = Array.from({ length: 6 }, (_, at) => ({ rows: createRows(at * 1000, (at + 1) * 1000) }))
    const { batches, ahead } = await batchesOf(pages)
    expect(batches).toHaveLength(6)
    for (const [nth, read] of ahead.entries()) expect(read).toBeLessThanOrEqual(nth + 3)
  })

  it('are stored after two seconds however small, and not at all when they say nothing', async () => {
    let clock = 0
    const { batches } = await batchesOf(
      [{ rows: createRows(0, 1) }, { rows: [] }, { rows: createRows(1, 2) }, { rows: [], cursor: 'end' }],
      { now: () => (clock += 2_000) },
    )
    expect(batches.map(({ records, savedCursor: place }) => [records.length, place?.cursor])).toEqual([
      [1, undefined],
      [1, undefined],
      [0, 'end'],
    ])
  })

  it('count on from what an earlier attempt need not read again', async () => {
    const from = { seen: 10, failed: 1, bad_rows: [{ line: 3, reason: 'is bad' }], misfits: {} }
    const { batches } = await batchesOf([{ rows: [...createRows(0, 2), { line: 9, reason: 'is worse' }] }], {
      previousTotals: from,
    })
    expect(batches.map(({ totals: tally, resumableTotals: kept }) => [tally, kept])).toEqual([
      [{ ...from, seen: 13, failed: 2, bad_rows: [...from.bad_rows, { line: 9, reason: 'is worse' }] }, from],
    ])
  })
})
