import { describe, expect, it } from '@jest/globals'
import { forecast } from '../../../src/forecast/index.ts'
import { beginOf, silentEnd } from '../../../src/forecast/series/unusual/zero-ends.ts'
import { dailyFrom, gaussian, inputOf, randomOf } from '../signals.ts'

const zeros = (count: number) => Array<number>(count).fill(0)

it.each([
  ['two weeks of zeros', [...zeros(14), 3, 0], 14],
  ['zeros and gaps', [...zeros(7), Number.NaN, ...zeros(6), 3], 14],
  ['fewer', [...zeros(13), 3], 0],
  ['nothing else', zeros(30), 0],
])('a history that begins with %s begins there', (_, values, expected) => {
  expect(beginOf(Float64Array.from(values), 'day')).toBe(expected)
})

it.each([
  ['more zeros than ever before', [5, 0, 0, 5, ...zeros(4)], 4],
  ['zeros and a gap', [5, 0, 0, Number.NaN, 5, 0, 0, Number.NaN, 0, 0], 4],
  ['a long weekend', [5, 0, 0, 5, ...zeros(3)], 0],
  ['zeros as before', [5, 0, 0, 0, 5, ...zeros(5)], 0],
  ['nothing else', zeros(30), 0],
])('a history that ends with %s has a silent end of so many', (_, values, expected) => {
  expect(silentEnd(Float64Array.from(values), 'day')).toBe(expected)
})

describe('a forecast of 150 days', () => {
  const forecastWhere = (isOpen: (day: number) => boolean) => {
    const random = randomOf(3)
    const points = dailyFrom('2026-01-05', 150, (day) => {
      const people = day % 7 > 4 ? 0 : Math.round(50 + 5 * gaussian(random))
      return isOpen(day) ? people : 0
    })
    const [series] = forecast(inputOf(points, { frequency: 'day', horizon: 7 })).series
    if (series === undefined) throw new Error('no series')
    return series
  }

  it('has intervals of the time since a place opened', () => {
    const { points, warnings } = forecastWhere((day) => day >= 100)
    expect(Math.max(...points.map((point) => point.upper_95 ?? Number.NaN))).toBeLessThan(80)
    expect(warnings).toEqual(['Only values from 2026-04-15 on were used: the 100 days before have no value but 0.'])
  })

  it('has no interval beyond the largest error there was, after a time that a place was closed', () => {
    const { points } = forecastWhere((day) => day < 50 || day >= 110)
    expect(Math.max(...points.map((point) => point.upper_95 ?? Number.NaN))).toBeLessThan(150)
  })

  it('warns of zeros at the end, of which no recommendation is made', () => {
    expect(forecastWhere((day) => day < 140).warnings).toEqual([
      'The last 12 days are 0, longer than ever before. If nothing was counted then, remove their rows and forecast again.',
      'No recommendation is made from this series: its last values may not have been counted.',
    ])
  })
})
