import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createTopKReader } from '../../../src/search/rank/top-k.ts'

describe('createTopKReader', () => {
  it('returns documents by score, then by number, for every k and batch size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 9 }),
        (scores, k, batchSize) => {
          const ranking = { documents: Uint32Array.from(scores.keys()).reverse(), scores: Float64Array.from(scores) }
          const readNext = createTopKReader(ranking, k)
          const read: number[] = []
          for (let batch = readNext(batchSize); batch.length > 0; batch = readNext(batchSize)) read.push(...batch)
          const expected = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
          expect(read).toEqual(expected)
        },
      ),
    )
  })
})
