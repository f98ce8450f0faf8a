import { describe, expect, it } from '@jest/globals'
import { addToRate, decayRate } from '../../src/ledger/ledger.ts'

describe('the request rate', () => {
  it('converges to the requests per minute when requests arrive evenly', () => {
    let rate = 0
    for (let tick = 0; tick < 600; tick += 1) rate = addToRate(rate, 50, 5)
    expect(rate).toBeGreaterThan(5900)
    expect(rate).toBeLessThan(6300)
  })

  it('decays within seconds without requests', () => expect(decayRate(6000, 15_000)).toBeLessThan(60))

  it('does not grow when the clock goes back', () => expect(decayRate(6000, -5000)).toBe(6000))
})
