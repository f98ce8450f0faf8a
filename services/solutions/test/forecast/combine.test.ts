import { describe, expect, it } from '@jest/globals'
import { combine, weightedMean } from '../../src/forecast/evaluation/combine.ts'
import { type Fold, planCombinationFolds } from '../../src/forecast/evaluation/folds.ts'
import { calendarOf } from '../../src/forecast/time/calendar.ts'

const folds: Fold[] = [
  { origin: 4, cells: 2 },
  { origin: 6, cells: 2 },
  { origin: 8, cells: 2 },
]
const grid = { first: 0, values: new Float64Array(10).fill(10), observed: new Uint8Array(10).fill(1) }

/** A model that is wrong by an error for each fold. */
const offBy = (name: string, errors: number[]) => ({
  name,
  predictions: errors.map((error) => Float64Array.of(10 + error, 10 - error)),
})

describe('weights of a combination', () => {
  it('fall with the mean power of the error', () => {
    const { weights } = combine([offBy('good', [4, 4, 4]), offBy('bad', [9, 9, 9])], folds, grid)
    expect((weights[1] ?? 0) / (weights[0] ?? 0)).toBeCloseTo((4 / 9) ** (0.7 * 12), 12)
  })

  it('are all of a model without any error', () => {
    const { weights, result } = combine([offBy('bad', [1, 1, 1]), offBy('exact', [0, 0, 0])], folds, grid)
    expect([...weights]).toEqual([0, 1])
    for (const prediction of result.predictions) expect([...prediction]).toEqual([10, 10])
  })

  it('of a fold come from the other folds', () => {
    // The first model is exact but in the last fold: it has all of the weight there, and none elsewhere.
    const results = [offBy('first', [0, 0, 5]), offBy('second', [1, 1, 0])]
    expect([...(combine(results, folds, grid).result.predictions[2] ?? [])]).toEqual([15, 5])
  })

  it('of a fold come from no fold that overlaps it', () => {
    const overlapping = folds.map(({ origin }) => ({ origin: origin === 8 ? 7 : origin, cells: 2 }))
    // The second and the last fold share a cell: the first fold decides about both.
    const results = [offBy('first', [0, 5, 5]), offBy('second', [1, 0, 0])]
    const { predictions } = combine(results, overlapping, grid).result
    expect(predictions.slice(1).map((prediction) => [...prediction])).toEqual([
      [15, 5],
      [15, 5],
    ])
  })

  it('do not depend on values that were not observed', () => {
    const observed = grid.observed.slice()
    observed.fill(0, 8)
    const results = [offBy('first', [0, 0, 9]), offBy('second', [1, 1, 0])]
    expect([...combine(results, folds, { ...grid, observed }).weights]).toEqual([1, 0])
  })
})

it('the mean of forecasts is weighted', () => {
  const mean = weightedMean([Float64Array.of(1, 2), Float64Array.of(5, 10)], Float64Array.of(3, 1))
  expect([...mean]).toEqual([2, 4])
})

describe('folds of a combination', () => {
  const hours = calendarOf('hour')

  it('are 12, one day apart, for up to three days ahead', () => {
    const planned = planCombinationFolds(700, 48, hours) ?? []
    expect(planned.map(({ origin }) => origin)).toEqual(Array.from({ length: 12 }, (_, fold) => 652 - 24 * (11 - fold)))
    expect(planned.every(({ cells }) => cells === 48)).toBe(true)
    expect(planCombinationFolds(364 + 11 * 24 + 47, 48, hours)).toBeNull()
  })

  it('are 8, whole days and at most a week apart, for longer horizons', () => {
    const spacings = [1_000, 1_300, 5_000].map((length) => {
      const [first, second] = planCombinationFolds(length, 168, hours) ?? []
      return (second?.origin ?? 0) - (first?.origin ?? 0)
    })
    expect(spacings).toEqual([48, 96, 168])
    expect(planCombinationFolds(364 + 7 * 24 + 167, 168, hours)).toBeNull()
  })
})
