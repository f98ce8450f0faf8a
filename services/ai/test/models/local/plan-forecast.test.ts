import { describe, expect, it } from '@jest/globals'
import { decide } from '../../../src/models/local/decide.ts'

const fields = [
  { name: 'day', type: 'timestamp' },
  { name: 'visitors', type: 'number' },
  { name: 'city', type: 'string' },
]
const output = { sources: [{ data_source_id: 'src_1', name: 'Occupancy', record_count: 9, fields }] }
const ask = (question: string) =>
  decide({
    question,
    earlier: [],
    tools: new Set(['list_sources', 'start_forecast', 'read_forecast']),
    today: new Date(0),
    outcomes: [{ tool: 'list_sources', input: {}, output, failure: undefined }],
  })
const started = { data_source_id: 'src_1', timestamp_field: 'day', value_field: 'visitors' }

describe('planForecast', () => {
  it.each([
    ['Forecast the visitors of the next days', { frequency: 'day', horizon: 14 }],
    ['Predict visitors for the next 6 weeks', { frequency: 'week', horizon: 6 }],
    ['Prognose der visitors pro Stunde', { frequency: 'hour', horizon: 24 }],
  ])('%s starts %j', (question, more) =>
    expect(ask(question)).toEqual({ calls: [{ tool: 'start_forecast', input: { ...started, ...more } }] }),
  )

  it.each([
    ['Forecast the visitors of Berlin', 'berlin'],
    ['Forecast the visitors by city', 'city'],
    ['Forecast the rainy visitors', 'rainy'],
  ])('%s is refused, because a forecast cannot use “%s”', (question, word) =>
    expect(ask(question)).toEqual({ answer: expect.stringContaining(`“${word}”`) }),
  )
})
