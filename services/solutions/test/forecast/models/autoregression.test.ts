import { describe, expect, it } from '@jest/globals'
import { continueSeries, fitAutoregression } from '../../../src/forecast/models/autoregression.ts'
import { gaussian, randomOf } from '../signals.ts'

const options = { order: 3, hasConstant: true }

/** A process with known coefficients: x(t) = 2 + 0.6 x(t-1) - 0.3 x(t-2) + 0.2 x(t-3) + noise. */
function knownProcess(length: number, outliers = 0): Float64Array {
  const random = randomOf(40)
  const values = new Float64Array(length + 100)
  for (let t = 3; t < values.length; t += 1) {
    const past = 0.6 * (values[t - 1] ?? 0) - 0.3 * (values[t - 2] ?? 0) + 0.2 * (values[t - 3] ?? 0)
    values[t] = 2 + past + gaussian(random) + (random() < outliers ? 30 : 0)
  }
  return values.slice(100)
}

function expectKnown(fit: ReturnType<typeof fitAutoregression>, tolerance: number): void {
  const errors = [0.6, -0.3, 0.2].map((coefficient, index) => (fit.coefficients[index] ?? Number.NaN) - coefficient)
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(tolerance)
  expect(Math.abs(fit.constant - 2)).toBeLessThan(10 * tolerance)
}

describe('an autoregression', () => {
  it('recovers the coefficients of a known process', () => {
    expectKnown(fitAutoregression(knownProcess(4_000), options), 0.05)
  })

  it('is not moved by outliers', () => {
    // Three values of a hundred are 30 too high, which adds 0.9 to the constant of least squares.
    expectKnown(fitAutoregression(knownProcess(4_000, 0.03), options), 0.05)
  })

  it('does not use values as targets that were not observed', () => {
    const values = knownProcess(4_000)
    const observed = new Uint8Array(values.length).fill(1)
    for (let t = 1_000; t < 2_500; t += 1) {
      values[t] = 4
      observed[t] = 0
    }
    expectKnown(fitAutoregression(values, options, observed), 0.06)
  })

  it('does not depend on the unit of the series', () => {
    const values = knownProcess(500)
    const fit = fitAutoregression(values, options)
    const scaled = fitAutoregression(
      values.map((value) => 1_000 * value),
      options,
    )
    expect(scaled.constant).toBeCloseTo(1_000 * fit.constant, 6)
    for (const [index, coefficient] of scaled.coefficients.entries())
      expect(coefficient).toBeCloseTo(fit.coefficients[index] ?? Number.NaN, 9)
  })

  it('predicts zeros after zeros, and after fewer values than lags', () => {
    for (const values of [new Float64Array(100), Float64Array.of(1, 2, 3)]) {
      const fit = fitAutoregression(values, { order: 5, hasConstant: true })
      expect([...continueSeries(fit, values, 3, { low: -1, high: 1 })]).toEqual([0, 0, 0])
    }
  })
})

it('a continued series is the recursion, within its bounds at each step', () => {
  const fit = { coefficients: Float64Array.of(2, -0.5), constant: 1 }
  expect([...continueSeries(fit, Float64Array.of(9, 2, 3), 3, { low: -100, high: 100 })]).toEqual([6, 11.5, 21])
  expect([...continueSeries(fit, Float64Array.of(9, 2, 3), 3, { low: 0, high: 8 })]).toEqual([6, 8, 8])
})
