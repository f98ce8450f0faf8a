import { describe, expect, it } from '@jest/globals'
import { computeClaimBudget } from '../../src/delivery/claim-budget.ts'

/** Largest number of deliveries in one claim. */
const maxClaimSize = 200

describe('computeClaimBudget', () => {
  it.each([1, 2, 3, 8, 50, 512])('gives failing endpoints at most half of a concurrency of %i', (concurrency) => {
    let failing = 0
    // Only failing endpoints have due deliveries.
    for (let claim = 0; claim < 100; claim += 1) {
      const budget = computeClaimBudget({ concurrency, free: concurrency - failing, failing })
      if (budget.includesFailing) failing += Math.min(budget.free, maxClaimSize)
    }
    expect(failing).toBeGreaterThan(0)
    expect(failing).toBeLessThanOrEqual(Math.ceil(concurrency / 2))
    expect(computeClaimBudget({ concurrency, free: concurrency - failing, failing })).toEqual({
      free: concurrency - failing,
      includesFailing: false,
    })
  })
})
