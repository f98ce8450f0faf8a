import { describe, expect, it } from '@jest/globals'
import { rankByBm25 } from '../../../src/search/rank/bm25-ranking.ts'
import { createScoreBuffers } from '../../../src/search/rank/postings/buffer-pool.ts'

describe('rankByBm25', () => {
  const buffers = createScoreBuffers()
  const index = { indexId: 1, base: 0, maxDoc: 4, isSelected: true, configuration: 'c' }
  const term = { lexemes: ['oak'], configurations: new Set(['c']), weight: 1 }
  const posting = (document: number, occurrences: number) => [document, (occurrences << 16) | 10]
  const rankSegments = (...segments: number[][]) =>
    rankByBm25(
      [term],
      [index],
      () => segments.map((segment) => Uint32Array.from(segment)),
      { documents: 4, length: 40 },
      buffers,
      async () => {},
    )

  it('ignores tombstones of a single segment', async () => {
    const { documents, frequencies } = await rankSegments([...posting(0, 1), ...posting(2, 0), ...posting(3, 2)])
    expect([[...documents], frequencies]).toEqual([[0, 3], [2]])
  })

  it('ignores documents added after the index was listed', async () => {
    const { documents, frequencies } = await rankSegments([...posting(0, 1), ...posting(4, 1)])
    expect([[...documents], frequencies]).toEqual([[0], [1]])
  })

  it('lets newer segments override older ones', async () => {
    const { documents, frequencies } = await rankSegments(
      [...posting(0, 0), ...posting(2, 3)],
      [...posting(0, 1), ...posting(2, 1), ...posting(3, 2)],
    )
    expect([[...documents].sort(), frequencies]).toEqual([[2, 3], [2]])
  })

  it('finds only documents with all lexemes of a conjunction', async () => {
    const postings: Record<string, number[][]> = {
      first: [[...posting(1, 0)], [...posting(0, 3), ...posting(1, 1), ...posting(3, 2)]],
      second: [[...posting(3, 1), ...posting(0, 1), ...posting(1, 1)]],
    }
    const rank = (lexemes: string[]) =>
      rankByBm25(
        [{ ...term, lexemes, isConjunction: true }],
        [index],
        (_, lexeme) => (postings[lexeme] ?? []).map((segment) => Uint32Array.from(segment)),
        { documents: 4, length: 40 },
        buffers,
        async () => {},
      )
    const { documents, scores, frequencies } = await rank(['first', 'second'])
    expect([[...documents].sort(), frequencies, scores[0] === scores[3]]).toEqual([[0, 3], [2], true])
    expect((await rank(['first', 'missing'])).documents).toHaveLength(0)
  })

  it('ranks the same when buffers are used again', async () => {
    const segments = [
      [...posting(0, 0), ...posting(2, 3)],
      [...posting(0, 1), ...posting(2, 1), ...posting(3, 2)],
    ]
    const rankOnce = async () => {
      const { documents, scores, frequencies } = await rankSegments(...segments)
      return [...documents].map((document) => [document, scores[document], ...frequencies])
    }
    const first = await rankOnce()
    await rankSegments([...posting(1, 9), ...posting(3, 9)], [...posting(0, 9), ...posting(1, 2)])
    expect(await rankOnce()).toEqual(first)
  })

  it.each([
    [1, 10],
    [7, 255],
    [8, 255],
    [7, 256],
    [900, 65_535],
  ])('computes the BM25 formula for %d occurrences in a document of length %d', async (occurrences, length) => {
    const idf = Math.log(1 + (4 - 1 + 0.5) / 1.5)
    const { scores, relativeLength } = await rankSegments([1, occurrences * 65_536 + length])
    const norm = 1.2 * (0.25 + (0.75 * length) / 10)
    expect(scores[1]).toBeCloseTo((idf * occurrences * 2.2) / (occurrences + norm), 12)
    expect(relativeLength(1)).toBe(length / 10)
  })
})
