import { describe, expect, it } from '@jest/globals'
import { fuseScores } from '../../../src/search/rank/fuse-scores.ts'

describe('fuseScores', () => {
  const nearest: [string, number][] = [
    ['a', 0.9],
    ['b', 0.85],
    ['c', 0.8],
  ]

  it('weighs similarities between the least and the greatest, and words by the part of the query they match', () => {
    const fused = fuseScores(
      {
        hits: [
          ['b', 6],
          ['d', 3],
        ],
        maxScore: 6,
      },
      nearest,
    )
    const expected = { a: 0.5, b: 0.25 + 0.5, c: 0, d: 0.25 }
    for (const [id, score] of Object.entries(expected)) expect(fused.get(id)).toBeCloseTo(score, 12)
    expect(fused.size).toBe(4)
  })

  it('lets an accidental match of one word of many move no document past a nearer one', () => {
    const fused = fuseScores({ hits: [['c', 1]], maxScore: 12 }, nearest)
    expect([...fused].toSorted(([, one], [, other]) => other - one).map(([id]) => id)).toEqual(['a', 'b', 'c'])
  })

  it('orders by words where all are equally near, and by meaning where no word matches', () => {
    const equal: [string, number][] = [
      ['a', 0.5],
      ['b', 0.5],
    ]
    expect(fuseScores({ hits: [['b', 1]], maxScore: 2 }, equal).get('b')).toBeCloseTo(0.75, 12)
    expect(fuseScores({ hits: [], maxScore: 0 }, nearest).get('b')).toBeCloseTo(0.25, 12)
    expect(fuseScores({ hits: [['z', 2]], maxScore: 2 }, []).get('z')).toBeCloseTo(0.5, 12)
  })
})
