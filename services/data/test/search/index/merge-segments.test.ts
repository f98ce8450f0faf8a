import { describe, expect, it } from '@jest/globals'
import { mergeSegments } from '../../../src/search/index/merge-segments.ts'

describe('mergeSegments', () => {
  const posting = (document: number, occurrences: number) => [document, (occurrences << 16) | 9]

  it('keeps the newest posting of each document and drops tombstones', () => {
    const older = Uint32Array.from([...posting(1, 1), ...posting(2, 2), ...posting(3, 3)])
    const newer = Uint32Array.from([...posting(3, 0), ...posting(1, 7), ...posting(4, 4)])
    expect([...mergeSegments([newer, older])]).toEqual([...posting(2, 2), ...posting(1, 7), ...posting(4, 4)])
  })

  it('returns an empty list when there are no segments', () => {
    expect([...mergeSegments([])]).toEqual([])
  })
})
