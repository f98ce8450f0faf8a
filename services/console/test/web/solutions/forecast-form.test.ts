import { describe, expect, test } from '@jest/globals'
import {
  emptyValues,
  type ForecastValues,
  forecastForm,
  valuesOfRun,
} from '../../../web/src/solutions/forecasts/new/forecast-form.ts'
import { columnOf, columnsText, keyFieldsOf, type RunInput } from '../../../web/src/solutions/forecasts/run-input.ts'

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
  ])('makes the same body when an earlier run is changed: %j', (columns) => {
    const earlier = { input: { ...input, ...columns }, external_id: null }
    expect(bodyOf(valuesOfRun(earlier))).toEqual({ ...input, ...columns })
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

  test('are found from the key of a series', () => {
    expect(columnOf(run({ value_field: ['North'] }), { floor: '1', field: 'North' })).toEqual({
      column: 'North',
      group: { floor: '1' },
    })
    expect(columnOf(run({ value_field: 'people' }), { floor: '1' })).toEqual({
      column: 'people',
      group: { floor: '1' },
    })
    expect(columnOf(run({}), {})).toEqual({ group: {} })
  })

  test('are listed for people', () => {
    expect([columnsText('people'), columnsText(['North', 'South']), columnsText(undefined)]).toEqual([
      ...['people', 'North, South', '–'],
    ])
  })
})
