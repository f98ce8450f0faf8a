import { describe, expect, it } from '@jest/globals'
import { forecastSearch } from '../../../../web/src/data/uploads/forecast-search.ts'
import type { Preview } from '../../../../web/src/data/uploads/review/preview/preview-values.ts'

const suggestions = (part: Partial<Preview['suggestions']>): Preview['suggestions'] => ({
  kind: 'counts',
  timestamp: ['time'],
  value: ['people'],
  group_by: [],
  measure: null,
  nulls: [],
  personal: [],
  ...part,
})

describe('the forecast of an uploaded file', () => {
  it('has the suggested columns', () => {
    expect(forecastSearch('src_1', suggestions({ group_by: ['building', 'floor'] }))).toEqual({
      source: 'src_1',
      time: 'time',
      value: 'people',
      group: 'building',
    })
  })

  it('has both columns of a time and all columns of values when there are several', () => {
    const search = forecastSearch('src_1', suggestions({ timestamp: ['Date', 'Hour'], value: ['North', 'South'] }))
    expect(search).toMatchObject({ time: 'Date', hour: 'Hour', value: 'North', more: ['South'] })
  })

  it('takes the highest value of a step when the values are a level', () => {
    expect(forecastSearch('src_1', suggestions({ measure: 'level' }))).toMatchObject({
      measure: 'level',
      aggregation: 'max',
    })
  })

  it('counts rows when they are badge events', () => {
    const search = forecastSearch('src_1', suggestions({ kind: 'badge_events', value: [], measure: 'flow' }))
    expect(search).toEqual({ source: 'src_1', time: 'time', measure: 'flow', aggregation: 'count' })
  })

  it('is not offered when the file has no times or no values', () => {
    expect(forecastSearch('src_1', suggestions({ timestamp: [] }))).toBeUndefined()
    expect(forecastSearch('src_1', suggestions({ value: [] }))).toBeUndefined()
  })

  it('leaves the columns to the form when there was no preview', () => {
    expect(forecastSearch('src_1', undefined)).toEqual({ source: 'src_1' })
  })
})
