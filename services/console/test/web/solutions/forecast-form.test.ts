import { describe, expect, test } from '@jest/globals'
import { forecastForm } from '../../../web/src/solutions/forecasts/new/forecast-form.ts'
import {
  emptyValues,
  type ForecastValues,
  valuesOfRun,
  valuesOfSearch,
} from '../../../web/src/solutions/forecasts/new/forecast-values.ts'
import { columnsText, keyFieldsOf, type RunInput, seriesKeyOf } from '../../../web/src/solutions/forecasts/run-input.ts'

const input = {
  data_source_id: 'src_01h455vb4pex5vsknk084sn02q',
  frequency: 'hour',
  aggregation: 'max',
  timezone: 'Europe/Berlin',
  horizon: 24,
  levels: [0.8],
}
const bodyOf = (values: ForecastValues) => forecastForm.parse(values)

describe('the form of a run', () => {
  test.each([
    { timestamp_field: 'time', value_field: 'people' },
    { timestamp_field: ['date', 'hour'], value_field: ['North', 'South'], group_by: ['floor'] },
    { timestamp_field: 'time', value_field: ['North'], measure: 'level', min_usable_share: 0.8 },
    { timestamp_field: 'time', aggregation: 'count' },
    { timestamp_field: 'time', value_field: 'people', group_by: ['floor'], capacity: { 'a=b/1': 120, south: 80.5 } },
    { timestamp_field: 'time', value_field: 'people', capacity: 50 },
  ])('makes the same body when an earlier run is changed: %j', (columns) => {
    const earlier = { input: { ...input, ...columns }, external_id: null }
    expect(bodyOf(valuesOfRun(earlier))).toEqual({ ...input, ...columns })
  })

  test.each([
    { space_id: 'spc_01h455vb4pex5vsknk084sn02q', level: 'floor', measure: 'peak', use_bookings: false },
    { level: 'team', measure: 'attendance', use_bookings: true, holidays: { add: ['2026-12-24'] } },
  ])('makes the same body when a forecast of the workplace is changed: %j', (workplace) => {
    const body = { workplace, frequency: 'day', timezone: 'Europe/Berlin', horizon: 30, levels: [0.8] }
    expect(bodyOf(valuesOfRun({ input: body, external_id: null }))).toEqual(body)
  })

  test('reads what is forecast from the address, a month by day of buildings and teams', () => {
    const empty = emptyValues('UTC')
    expect(valuesOfSearch({ source: 'src_1' }, empty)).toMatchObject({ what: 'file', data_source_id: 'src_1' })
    expect(valuesOfSearch({ team: 'team_1' }, empty)).toMatchObject({
      what: 'teams',
      frequency: 'day',
      horizon: '30',
      workplace: { team_id: 'team_1' },
    })
  })

  test('names the field at fault when columns are missing', () => {
    const values = { ...emptyValues('UTC'), data_source_id: input.data_source_id, timestamp_field: 'time' }
    const { error } = forecastForm.safeParse(values)
    expect(error?.issues.map(({ path }) => path[0])).toEqual(['value_field'])
  })
})

describe('the columns of a run', () => {
  const run = (more: object) => ({ ...input, ...more }) as RunInput // a literal of its shape

  test('join the group key when there are several', () => {
    expect(keyFieldsOf(run({ value_field: ['North'], group_by: ['floor'] }))).toEqual(['floor', 'field'])
    expect(keyFieldsOf(run({ value_field: 'people', group_by: ['floor'] }))).toEqual(['floor'])
    expect(keyFieldsOf(run({ series: [] }))).toBeUndefined()
  })

  test('name a series, but for a space or team, which has an id', () => {
    expect(seriesKeyOf(run({ group_by: ['site', 'floor'] }), { floor: '1', site: 'a/b' })).toBe('a~1b/1')
    expect(seriesKeyOf(run({ workplace: {} }), { space: 'spc_1', name: 'Berlin / Floor 1' })).toBe('spc_1')
    expect(seriesKeyOf(run({ group_by: ['space', 'name'] }), { space: 'north', name: 'x' })).toBe('north/x')
  })

  test('are listed for people', () => {
    expect([columnsText('people'), columnsText(['North', 'South']), columnsText(undefined)]).toEqual([
      ...['people', 'North, South', '–'],
    ])
  })
})
