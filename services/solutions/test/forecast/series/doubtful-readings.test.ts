import { describe, expect, it } from '@jest/globals'
import { findDoubtfulReadings } from '../../../src/forecast/series/doubtful-readings.ts'
import { poisson, randomOf } from '../signals.ts'

const random = randomOf(5)
/** People that come in each of 1,000 hours. */
const arrivals = Array.from({ length: 1_000 }, (_, hour) => (hour % 24 > 6 && hour % 24 < 19 ? poisson(random, 20) : 0))

const doubts = (values: number[], instants = values.map((_, index) => index), aggregation: 'sum' | 'max' = 'sum') =>
  findDoubtfulReadings({ values: Float64Array.from(values), instants: Float64Array.from(instants) }, aggregation).map(
    ({ doubt }) => doubt,
  )

function addedUp(values: number[], restartsEach = Number.POSITIVE_INFINITY): number[] {
  let sum = 0
  return values.map((value, index) => {
    sum = index % restartsEach === 0 ? value : sum + value
    return sum
  })
}

describe('values add up', () => {
  it.each([
    ['of a counter', addedUp(arrivals), true],
    ['of one that starts again each day', addedUp(arrivals, 24), true],
    ['but not what came in each hour', arrivals, false],
    ['but not people present', arrivals.map((value, hour) => value + (arrivals[hour - 1] ?? 0)), false],
    ['but not a few values that grow', addedUp(arrivals).slice(0, 60), false],
    ['but not values that rise alike', arrivals.map((_, hour) => hour % 24), false],
    ['but not values that do not change', arrivals.map(() => 7), false],
  ])('%s', (_, values, expected) => {
    expect(doubts(values)).toEqual(expected ? ['its values may be readings that add up'] : [])
  })

  it('of two counters at the same times', () => {
    const both = addedUp(arrivals).flatMap((value) => [value, 3 * value])
    const instants = both.map((_, index) => Math.floor(index / 2))
    expect(doubts(both, instants, 'max')).toEqual(['its values may be readings that add up'])
  })
})

describe('rows are repeated', () => {
  const twice = (second: (value: number) => number) => arrivals.flatMap((value) => [value, second(value)])
  const instants = twice((value) => value).map((_, index) => Math.floor(index / 2))

  it('where all have the time and the value of another one', () => {
    expect(
      doubts(
        twice((value) => value),
        instants,
      ),
    ).toEqual(['rows that may be repeated were added'])
    expect(
      doubts(
        twice((value) => value),
        instants,
        'max',
      ),
    ).toEqual([])
  })

  it('but not where two places are counted at the same times', () => {
    expect(
      doubts(
        twice(() => poisson(random, 20)),
        instants,
      ),
    ).toEqual([])
    expect(
      doubts(
        twice(() => 1).map(() => 1),
        instants,
      ),
    ).toEqual([])
  })
})
