import { expect, it } from '@jest/globals'
import { forecast } from '../../../src/forecast/index.ts'
import { findOutliers } from '../../../src/forecast/series/unusual/unusual-values.ts'
import { dailyFrom, gaussian, inputOf, randomOf } from '../signals.ts'

const usual = Array.from({ length: 60 }, (_, day) => (day % 7 > 4 ? 0 : 40 + (day % 5)))

it.each([
  ['one value of ten times as much', [...usual, 500, 40], [60]],
  ['an error code', [...usual, 65_535], [60]],
  ['a zero too many of a day that is not busy', [...usual, 230, 40], [60]],
  ['a busy day', [...usual, 200], []],
  ['many more people from some day on', [...usual, 250, 260], []],
  ['often such values', [...usual, 5_000, 6_000, 7_000], []],
  ['few values', [1, 2, 3, 500], []],
])('with %s, the outliers are those far above all others', (_, values, expected) => {
  expect(findOutliers(Float64Array.from(values), (index) => index % 7)).toEqual(expected)
})

it('a value that is usual at its time of the week is no outlier', () => {
  const hours = Array.from({ length: 4 * 168 }, (_, hour) => (hour === 300 ? 500 : hour % 168 === 9 ? 100 : 5))
  expect(findOutliers(Float64Array.from(hours), (hour) => hour % 168)).toEqual([300])
})

it('a typing error changes neither forecast nor intervals, and is named', () => {
  const forecastWith = (typed: number) => {
    const random = randomOf(3)
    const points = dailyFrom('2026-01-05', 150, (day) => {
      const people = day % 7 > 4 ? 0 : Math.round(50 + 5 * gaussian(random))
      return day === 147 ? typed : people
    })
    const [series] = forecast(inputOf(points, { frequency: 'day', horizon: 7 })).series
    if (series === undefined) throw new Error('no series')
    return series
  }
  const [right, wrong] = [forecastWith(50), forecastWith(50_000)]
  wrong.points.forEach((point, day) => {
    expect(Math.abs(point.mean - (right.points[day]?.mean ?? Number.NaN))).toBeLessThan(5)
    expect(point.upper_95).toBeLessThan(80)
  })
  expect(wrong.warnings).toEqual([
    'The value 50000 at 2026-06-01 is far above all others and was left out: correct the file if it is wrong.',
    'No recommendation is made from this series: values far above all others were left out.',
  ])
})
