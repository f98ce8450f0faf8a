import { describe, expect, it } from '@jest/globals'
import { compareSeries, scoresOf } from '../src/accuracy.ts'
import { dailyFrom } from './forecast/signals.ts'

const options = { frequency: 'day', aggregation: 'sum', timezone: 'UTC' } as const
/** Four weeks that alternate between 10 and 12, so that the naive forecast is wrong by 2. */
const history = dailyFrom('2026-01-05', 28, (day) => (Math.floor(day / 7) % 2 === 0 ? 10 : 12))
const forecastOf = (mean: number) =>
  dailyFrom('2026-02-02', 7, () => 0).map(({ ts }) => ({
    ts: `${ts}T00:00:00.000Z`,
    mean,
    lower_80: mean - 1,
    upper_80: mean + 1,
    lower_95: mean - 3,
    upper_95: mean + 3,
  }))
const actual = (values: (number | null)[]) =>
  dailyFrom('2026-02-02', values.length, (day) => values[day] ?? 0).filter((_, day) => values[day] !== null)
const compare = (mean: number, values: (number | null)[]) =>
  compareSeries(forecastOf(mean), { key: {}, points: [...history, ...actual(values)] }, options)

describe('the accuracy of a forecast', () => {
  it('compares each step that has a value', () => {
    // Errors 0, 1, 4 and 2: together 7 of 47, on average 1.75, which is 0.875 times the naive error.
    expect(scoresOf([compare(10, [10, 11, 14, null, 12])])).toEqual({
      steps: 4,
      mase: expect.closeTo(0.875, 9),
      wape: expect.closeTo(7 / 47, 9),
      coverage: { '80': 0.5, '95': 0.75 },
    })
  })

  it('is empty without values', () => {
    expect(scoresOf([compare(10, [])])).toEqual({ steps: 0, mase: null, wape: null, coverage: {} })
    expect(scoresOf([])).toEqual({ steps: 0, mase: null, wape: null, coverage: {} })
  })

  it('has no MASE when the history has no naive error, and no WAPE when all values are zero', () => {
    const even = dailyFrom('2026-01-05', 28, () => 10)
    const sums = compareSeries(forecastOf(10), { key: {}, points: [...even, ...actual([0, 0])] }, options)
    expect(scoresOf([sums])).toMatchObject({ steps: 2, mase: null, wape: null })
  })

  it('weighs series by their steps', () => {
    const scores = scoresOf([compare(10, [10, 10, 10]), compare(10, [14])])
    expect(scores).toMatchObject({ steps: 4, mase: expect.closeTo(0.5, 9), coverage: { '80': 0.75 } })
  })
})
