import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBuiltInTool } from '../../src/tools/built-in-tools.ts'
import { startToolsHarness, type ToolsHarness } from './harness.ts'

let harness: ToolsHarness
let source = ''

const days = Array.from({ length: 70 }, (_, day) => new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10))
const csv = ['date,visitors', ...days.map((day, index) => `${day},${[100, 101, 102, 100, 10, 5, 5][index % 7]}`)].join(
  '\n',
)

beforeAll(async () => {
  harness = await startToolsHarness(['auth', 'data', 'solutions'])
  source = await harness.createSource('Visitors', csv, { config: { key: 'date' } })
})
afterAll(() => harness?.stop())

const run = async (name: 'start_forecast' | 'read_forecast', input: unknown, dataSourceIds: string[] = []) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read outputs of every shape
  (await createBuiltInTool(name, harness.internal).run(input, harness.call({ dataSourceIds }))).output as any

describe('forecast tools', () => {
  it('start a forecast, wait for it, and summarise it', async () => {
    const fields = { timestamp_field: 'date', value_field: 'visitors', frequency: 'day', horizon: 28 }
    const input = { data_source_id: source, ...fields }
    const other = 'src_01h455vb4pex5vsknk084sn02q'
    await expect(run('start_forecast', input, [other])).rejects.toThrow('is not among the data sources of this run')
    const { forecast_run_id: id } = await run('start_forecast', input)
    const forecast = await run('read_forecast', { forecast_run_id: id })
    expect(forecast).toMatchObject({ status: 'finished', value_field: 'visitors', series: [{ key: {}, points: 28 }] })
    const { forecast_run_id: countedId } = await run('start_forecast', {
      data_source_id: source,
      timestamp_field: ['date'],
      frequency: 'day',
      horizon: 7,
      aggregation: 'count',
    })
    expect(await run('read_forecast', { forecast_run_id: countedId })).toMatchObject({
      status: 'finished',
      aggregation: 'count',
    })
    const [series] = forecast.series
    expect(series.next).toHaveLength(14)
    expect(series.peaks).toHaveLength(3)
    expect(series.peaks[0].mean).toBeGreaterThan(series.lowest[0].mean)
    await expect(run('read_forecast', { forecast_run_id: id }, [other])).rejects.toThrow(
      `${id} is not a forecast of the data sources of this run`,
    )
  })
})
