import { describe, expect, it } from '@jest/globals'
import { createResumeDedup } from '../../../src/sync/batching/resume-dedup.ts'

describe('createResumeDedup', () => {
  const rows = [...Array.from({ length: 3_500 }, (_, nth) => `row ${nth}`), 'twin', 'twin']
  const createFirst = () => {
    const first = createResumeDedup(null)
    for (const row of rows) expect(first.isRepeated(row)).toBe(false)
    return first
  }

  it('saves 8 bytes for each of the last thousand rows', () => {
    expect(createFirst().recentRowHashes()).toHaveLength(8_000)
  })

  it('recognizes each saved row as often as it was read before', () => {
    const second = createResumeDedup(createFirst().recentRowHashes())
    const repeated = ['row 3499', 'twin', 'other', 'twin', 'twin', 'row 3'].map((row) => second.isRepeated(row))
    expect(repeated).toEqual([true, true, false, true, false, false])
  })

  it('recognizes rows of both attempts in a third', () => {
    const second = createResumeDedup(createFirst().recentRowHashes())
    second.isRepeated('other')
    const third = () => createResumeDedup(second.recentRowHashes())
    expect(['row 3499', 'other', 'twin'].map((row) => third().isRepeated(row))).toEqual([true, true, true])
  })
})
