import { describe, expect, it } from '@jest/globals'
import { forecastSearch } from '../../../../web/src/data/uploads/forecast-search.ts'
import type { Preview } from '../../../../web/src/data/uploads/review/preview/preview-values.ts'

const suggestions = (part: Partial<Preview['suggestions']>): Preview['suggestions'] => ({
  kind: 'counts',
  dataset: null,
  timestamp: ['time'],
  value: ['people'],
  group_by: [],
  measure: null,
  nulls: [],
  personal: [],
  continues: [],
  ...part,
})

describe('the forecast of an uploaded file', () => {
  it('has the suggested columns', () => {
    expect(forecastSearch('src_1', suggestions({ group_by: ['building', 'floor'] }), undefined)).toEqual({
      source: 'src_1',
      time: 'time',
      value: 'people',
      group: ['building'],
    })
  })

  it('is one of each floor, of people present, when rows are counts of floors', () => {
    const dataset = { kind: 'counts' as const, mapping: { space: 'floor', building: 'building', value: 'people' } }
    const group_by = ['building', 'status', 'floor']
    expect(forecastSearch('src_1', suggestions({ group_by, dataset }), 'counts')).toMatchObject({
      group: ['building', 'floor'],
      measure: 'level',
      aggregation: 'max',
    })
    // A place that is no group leaves rows of several places in one series, whose highest is no level of all.
    const search = forecastSearch('src_1', suggestions({ group_by: ['building'], dataset }), 'counts')
    expect(search).not.toHaveProperty('measure')
  })

  it('has both columns of a time and all columns of values when there are several', () => {
    const search = forecastSearch(
      'src_1',
      suggestions({ timestamp: ['Date', 'Hour'], value: ['North', 'South'] }),
      'counts',
    )
    expect(search).toMatchObject({ time: 'Date', hour: 'Hour', value: 'North', more: ['South'] })
  })

  it('takes the highest value of a step when the values are a level', () => {
    expect(forecastSearch('src_1', suggestions({ measure: 'level' }), 'counts')).toMatchObject({
      measure: 'level',
      aggregation: 'max',
    })
  })

  it('counts rows when they are badge events', () => {
    const search = forecastSearch('src_1', suggestions({ value: [], measure: 'flow' }), 'badge_events')
    expect(search).toEqual({ source: 'src_1', time: 'time', measure: 'flow', aggregation: 'count' })
    // Neither the file nor its suggestion has a column of values.
    const dataset = { kind: 'counts' as const, mapping: { space: 'floor', in: 'in', out: 'out' } }
    const badges = suggestions({ value: [], group_by: ['floor'], dataset })
    expect(forecastSearch('src_1', badges, 'badge_events')).toMatchObject({ aggregation: 'count' })
  })

  it('is not offered when the file has no times or no values', () => {
    expect(forecastSearch('src_1', suggestions({ timestamp: [] }), 'counts')).toBeUndefined()
    expect(forecastSearch('src_1', suggestions({ value: [] }), 'counts')).toBeUndefined()
  })

  it('leaves the columns to the form when there was no preview', () => {
    expect(forecastSearch('src_1', undefined, undefined)).toEqual({ source: 'src_1' })
  })
})
