import { describe, expect, test } from '@jest/globals'
import { groupChart, levelsOf, peakOf, shownLevel } from '../../../web/src/solutions/forecasts/chart-data.ts'
import {
  describeBusiest,
  describeChoice,
  describeImprovement,
  describePeriod,
  improvementOver,
  isDoubtfulSum,
  modelName,
  noteWords,
} from '../../../web/src/solutions/forecasts/forecast-words.ts'
import { groupKeyOf } from '../../../web/src/solutions/forecasts/groups.ts'
import { detectColumns, detectMeasure } from '../../../web/src/solutions/forecasts/new/detect-columns.ts'
import { runName } from '../../../web/src/solutions/forecasts/run-names.ts'
import { bySaving, describeWindow, readFigures } from '../../../web/src/solutions/recommendations/read-figures.ts'
import { formatInWords } from '../../../web/src/ui/format/format-time.ts'

test('describePeriod states hours as days where they are whole ones', () => {
  expect(describePeriod(168, 'hour')).toBe('7 days by hour')
  expect(describePeriod(100, 'hour')).toBe('100 hours')
  expect(describePeriod(30, 'day')).toBe('30 days')
  expect(describePeriod(1, 'week')).toBe('1 week')
})

describe('the busiest step in words', () => {
  const input = { frequency: 'hour', timezone: 'Europe/Berlin', horizon: 168, measure: 'level' } as const
  const peak = { value: 44.4, time: '2026-11-27T13:00:00Z', share: 0.8765, upper: null }

  const now = Date.parse('2026-11-26T08:00:00Z')

  test('has time, people and share of the capacity, rounded; and the date if it is not within a week', () => {
    expect(describeBusiest(peak, input, { now, locale: 'en-GB' })).toBe(
      'Busiest: Friday at 14:00, about 44 people, 88\u00a0% of capacity',
    )
    expect(
      describeBusiest({ ...peak, share: null }, input, { where: 'North', now: now + 172_800_000, locale: 'en-GB' }),
    ).toBe('Busiest: North, Friday 27 November at 14:00, about 44 people')
    expect(describeBusiest({ ...peak, share: null }, input, { now: now + 172_800_000, locale: 'en-US' })).toBe(
      'Busiest: Friday, November 27 at 2:00 PM, about 44 people',
    )
    const weekly = { ...input, frequency: 'week', measure: 'flow' } as const
    expect(describeBusiest({ ...peak, share: null }, weekly, { now, locale: 'en-GB' })).toBe(
      'Busiest: the week of 27 November, about 44 arrivals',
    )
  })

  test('of a full group also has those who would come, as the recommendation states them', () => {
    const full = { ...peak, value: 50, share: 1 }
    expect(describeBusiest(full, input, { demand: 59.2, now, locale: 'en-GB' })).toBe(
      'Busiest: full with 50 people, first on Friday at 14:00; at its peak about 59 would come',
    )
    expect(describeBusiest(full, input, { now, locale: 'en-GB' })).toBe(
      'Busiest: full with 50 people, first on Friday at 14:00',
    )
  })
})

test('runName has what is forecast, how it is divided, and for how long', () => {
  const names = new Map([
    ['spc_1', 'Harbour House'],
    ['src_1', 'Badges'],
  ])
  const named = (input: object) => runName({ input: { frequency: 'day', horizon: 30, ...input } }, names)
  expect(named({ workplace: { space_id: 'spc_1', level: 'floor' } })).toBe('Harbour House, by floor, 30 days')
  expect(named({ workplace: { level: 'team' } })).toBe('All teams, 30 days')
  expect(named({ data_source_id: 'src_1', group_by: ['site', 'floor'] })).toBe('Badges, by site and floor, 30 days')
  expect(named({ data_source_id: 'src_2' })).toBe('A file, 30 days')
})

test('noteWords names the buttons of the console where a note names fields of the API', () => {
  const sum = '4 values of 15 minutes were added to an hour: 186 for a highest single value of 48.'
  const note = `${sum} If the values are a level, such as people present, set \`measure\` to \`level\`.`
  expect(noteWords(note)).toMatch(/^4 values .* of 48\. Choose “Change and run”/)
  expect([isDoubtfulSum([sum, note]), isDoubtfulSum([sum])]).toEqual([true, false])
  expect(noteWords(sum)).toBe(sum)
})

test('describeChoice says that the smallest error decides only where it did', () => {
  const candidates = [
    { name: 'combination', mase: 0.8, wape: 0.1 },
    { name: 'naive', mase: 0.7, wape: 0.1 },
  ]
  expect(describeChoice({ selected: 'combination', candidates })).toMatch(/^The forecast is the mean of all models/)
  expect(describeChoice({ selected: 'naive', candidates })).toMatch(/smallest error/)
})

test('an improvement is the share by which the error is smaller, by MASE or else by WAPE', () => {
  expect(improvementOver({ mase: 0.75, wape: 0.2 }, { mase: 1, wape: 0.1 })).toBeCloseTo(0.25)
  expect(improvementOver({ mase: null, wape: 0.3 }, { mase: 1, wape: 0.2 })).toBeCloseTo(-0.5)
  expect(improvementOver({ mase: 1, wape: null }, { mase: 0, wape: null })).toBeNull()
  expect(describeImprovement(0.123)).toBe('12\u00a0% better than repeating the past')
  expect(describeImprovement(-0.5)).toBe('50\u00a0% worse than repeating the past')
  expect(describeImprovement(0.001)).toBe('As good as repeating the past')
  expect(describeImprovement(null)).toBe('Not comparable with repeating the past')
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

  test('has the range of one level, and history before the forecast', () => {
    expect(levelsOf({ points })).toEqual([95, 80])
    const { times, series } = groupChart({ points }, [{ time: Date.parse('2026-11-22T23:00:00Z'), value: 4 }], {
      capacity: 10,
    })
    expect(times).toHaveLength(3)
    expect(series.map(({ label }) => label)).toEqual(['80\u00a0% range', 'History', 'Forecast', 'Capacity 10'])
    expect([95, 90, undefined].map((level) => shownLevel({ points }, level))).toEqual([95, 80, 80])
    expect(series.at(-2)?.values).toEqual([null, 5, 9])
    const whileRead = groupChart({ points }, [], { hasHistory: true }).series
    expect(whileRead.map(({ label }) => label)).toEqual(['80\u00a0% range', 'History', 'Forecast'])
    expect(groupChart({ points }, []).series.map(({ label }) => label)).not.toContain('History')
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

test('detectMeasure tells people present from people arriving by the name of the column', () => {
  expect(
    ['People present', 'occupancy', 'arrivals', 'Entries', 'people', 'entries_present'].map(detectMeasure),
  ).toEqual([...['level', 'level', 'flow', 'flow', '', '']])
})

test('the largest saving is first', () => {
  const items = [null, 1, null, 3].map((amount) => ({ saving: amount && { amount, currency: 'EUR' } }))
  // Literals with the member that is compared.
  const sorted = (items as Parameters<typeof bySaving>[0][]).toSorted(bySaving)
  expect(sorted.map(({ saving }) => saving?.amount ?? null)).toEqual([3, 1, null, null])
})

const formatDay = (time: number) => formatInWords('shortDay', time, { locale: 'en-GB', timeZone: 'UTC' })

test('describeWindow names the first and the last day', () => {
  expect(describeWindow({ from: '2026-11-26T23:00:00.000Z', until: '2026-12-04T23:00:00.000Z' }, formatDay)).toBe(
    '27 Nov to 4 Dec',
  )
  expect(describeWindow({ from: '2026-11-27T08:00:00.000Z', until: '2026-11-28T08:00:00.000Z' }, formatDay)).toBe(
    '27 Nov',
  )
})

test('readFigures orders weekdays, and compares a forecast with its limit', () => {
  const service = readFigures({ kind: 'service_level', figures: { attendance_friday: 9, attendance_monday: 20 } })
  expect(service.map(({ label }) => label)).toEqual(['Monday', 'Friday'])
  const alert = readFigures({ kind: 'capacity_alert', figures: { capacity: 10, peak_forecast: 9, weekday: 'monday' } })
  expect(alert.map(({ label, value }) => [label, value])).toEqual([
    ['Expected', 9],
    ['Capacity', 10],
  ])
})
