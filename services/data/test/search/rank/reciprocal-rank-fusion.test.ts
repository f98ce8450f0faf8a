import { describe, expect, it } from '@jest/globals'
import { fuseRankings } from '../../../src/search/rank/reciprocal-rank-fusion.ts'

describe('fuseRankings', () => {
  const ranking = (scoreByDocument: Record<number, number>) => {
    const scores = new Float64Array(6)
    for (const [document, score] of Object.entries(scoreByDocument)) scores[Number(document)] = score
    return { documents: Uint32Array.from(Object.keys(scoreByDocument), Number), scores }
  }

  it('adds reciprocal ranks up to the depth of each ranking', () => {
    const fused = fuseRankings([ranking({ 1: 9, 3: 7, 4: 8 }), ranking({ 3: -0.5, 1: -0.2, 5: -0.9 })], 6, 2)
    expect([...fused.documents].toSorted()).toEqual([1, 3, 4])
    expect([...fused.scores]).toEqual([0, 2 / 61, 0, 1 / 62, 1 / 62, 0])
  })
})
