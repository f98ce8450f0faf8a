import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dotProduct, forEachSimilarity, unitVector } from '../../src/embeddings/vector-math.ts'
import { decodeVector, encodeVector } from '../../src/store/embeddings/chunk-vectors.ts'
import { decodeQuantizedVectors, encodeQuantizedVector } from '../../src/store/embeddings/quantized-vector.ts'
import { decodePostings, encodePostings } from '../../src/store/search/postings.ts'

describe('postings', () => {
  it('are decoded as encoded at every byte alignment', () => {
    const posting = (document: number, occurrences: number) => [document, occurrences * 65_536 + 9]
    const postings = Uint32Array.from([...posting(4_000_000_000, 32_767), ...posting(0, 1)])
    const stored = encodePostings(postings)
    expect(stored.toString('hex', 8, 12)).toBe('00000000')
    for (const offset of [0, 1, 2, 3]) {
      const bytes = Buffer.alloc(offset + stored.length)
      stored.copy(bytes, offset)
      expect(decodePostings(bytes.subarray(offset))).toEqual(postings)
    }
  })
})

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 })
  .map(unitVector)
  .filter((made) => made !== undefined)

describe('vectors', () => {
  it('are decoded as encoded', () => {
    fc.assert(fc.property(vector, (stored) => expect(decodeVector(encodeVector(stored))).toEqual(stored)))
  })

  it('have nearly the same dot products when quantized', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), vector, (stored, query) => {
        const numbers = stored.map((_, nth) => 10 + nth)
        const quantized = decodeQuantizedVectors(numbers, Buffer.concat(stored.map(encodeQuantizedVector)))
        const visited: [number, number][] = []
        forEachSimilarity(quantized, query, (document, similarity) => visited.push([document, similarity]))
        expect(visited.map(([document]) => document)).toEqual(numbers)
        for (const [nth, original] of stored.entries()) {
          const exact = original.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0)
          expect(dotProduct(original, query)).toBeCloseTo(exact, 6)
          expect(Math.abs((visited[nth]?.[1] ?? 2) - exact)).toBeLessThan(0.02)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('unitVector', () => {
  it('scales to length 1', () => {
    expect(unitVector([3, 4])).toEqual(Float32Array.of(0.6, 0.8))
  })

  it('is undefined for a length of 0 or infinity', () => {
    expect(unitVector([0, 0])).toBeUndefined()
    expect(unitVector([Number.POSITIVE_INFINITY])).toBeUndefined()
  })
})
