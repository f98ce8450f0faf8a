import { describe, expect, test } from '@jest/globals'
import { groupChart, levelsOf, peakOf } from '../../../web/src/solutions/forecasts/chart-data.ts'
import {
  describeHorizon,
  describeImprovement,
  improvementOver,
  modelName,
} from '../../../web/src/solutions/forecasts/forecast-words.ts'
import { groupKeyOf } from '../../../web/src/solutions/forecasts/groups.ts'
import { detectColumns } from '../../../web/src/solutions/forecasts/new/detect-columns.ts'
import { describeWindow, readFigures } from '../../../web/src/solutions/recommendations/read-figures.ts'

test('describeHorizon adds the next larger unit', () => {
  expect(describeHorizon(168, 'hour')).toBe('168 hours (7 days)')
  expect(describeHorizon(100, 'hour')).toBe('100 hours (about 4 days)')
  expect(describeHorizon(24, 'hour')).toBe('24 hours')
  expect(describeHorizon(14, 'day')).toBe('14 days (2 weeks)')
  expect(describeHorizon(1, 'week')).toBe('1 week')
})

test('an improvement is the share by which the error is smaller, by MASE or else by WAPE', () => {
  expect(improvementOver({ mase: 0.75, wape: 0.2 }, { mase: 1, wape: 0.1 })).toBeCloseTo(0.25)
  expect(improvementOver({ mase: null, wape: 0.3 }, { mase: 1, wape: 0.2 })).toBeCloseTo(-0.5)
  expect(improvementOver({ mase: 1, wape: null }, { mase: 0, wape: null })).toBeNull()
  expect(describeImprovement(0.123)).toBe('12\u00a0% better than the naive forecast')
  expect(describeImprovement(-0.5)).toBe('50\u00a0% worse than the naive forecast')
  expect(describeImprovement(0.001)).toBe('As good as the naive forecast')
  expect(describeImprovement(null)).toBe('Not comparable with the naive forecast')
})

test('modelName names a mean by its parts, and an unknown model as it is', () => {
  expect(modelName('mean_of_weekly_profile_and_recent_median')).toBe(
    'Mean of weekly profile and median of recent weeks',
  )
  expect(modelName('new_model')).toBe('new model')
})

test('groupKeyOf joins and escapes values as the API does', () => {
  expect(groupKeyOf({ site: 'a/b' })).toBe('a/b')
  expect(groupKeyOf({ site: 'a/b', floor: '~1' }, ['site', 'floor'])).toBe('a~1b/~01')
  expect(groupKeyOf({ site: 'x', floor: '1' })).toBe('1/x')
})

describe('a chart', () => {
  const points = [
    { ts: '2026-11-23T00:00:00.000Z', mean: 5, lower_80: 3, upper_80: 8, lower_95: 1, upper_95: 12 },
    { ts: '2026-11-23T01:00:00.000Z', mean: 9, lower_80: 7, upper_80: 11, lower_95: 4, upper_95: 15 },
    // The type of a shape with further numbers cannot be written as a literal with a text.
  ] as unknown as Parameters<typeof levelsOf>[0]['points']

  test('has the widest interval first, and history before the forecast', () => {
    expect(levelsOf({ points })).toEqual([95, 80])
    const { times, series } = groupChart({ points }, [{ time: Date.parse('2026-11-22T23:00:00Z'), value: 4 }], 10)
    expect(times).toHaveLength(3)
    expect(series.map(({ label }) => label)).toEqual([
      '95\u00a0% interval',
      '80\u00a0% interval',
      'History',
      'Forecast',
      'Capacity',
    ])
    expect(series.at(-2)?.values).toEqual([null, 5, 9])
  })

  test('has a peak with its share of the capacity and the upper bound of the narrowest interval', () => {
    expect(peakOf({ points }, 10)).toEqual({ value: 9, time: points[1]?.ts, share: 0.9, upper: 11 })
    expect(peakOf({ points }, undefined)?.share).toBeNull()
    expect(peakOf({ points: [] }, 10)).toBeNull()
  })
})

test('detectColumns prefers types, then names', () => {
  const detected = detectColumns([
    { name: 'device_id', type: 'number' },
    { name: 'building', type: 'string' },
    { name: 'note', type: 'string' },
    { name: 'arrivals', type: 'number' },
    { name: 'timestamp', type: 'timestamp' },
  ])
  expect(detected).toMatchObject({ time: 'timestamp', value: 'arrivals', groups: ['building'] })
  expect(detected.choices.groups).toEqual(['device_id', 'building', 'note'])
})

test('describeWindow names the first and the last day', () => {
  expect(describeWindow({ from: '2026-11-26T23:00:00.000Z', until: '2026-12-04T23:00:00.000Z' })).toBe(
    'Nov 27 to Dec 4',
  )
  expect(describeWindow({ from: '2026-11-27T08:00:00.000Z', until: '2026-11-28T08:00:00.000Z' })).toBe('Nov 27')
})

test('readFigures orders weekdays, and compares a forecast with its limit', () => {
  const service = readFigures({ kind: 'service_level', figures: { attendance_friday: 9, attendance_monday: 20 } })
  expect(service.map(({ label }) => label)).toEqual(['Monday', 'Friday'])
  const alert = readFigures({ kind: 'capacity_alert', figures: { capacity: 10, peak_forecast: 9, weekday: 'monday' } })
  expect(alert.map(({ label, value }) => [label, value])).toEqual([
    ['Forecast', 9],
    ['Capacity', 10],
  ])
})
