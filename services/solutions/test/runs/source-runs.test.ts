import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { csvOf, type Harness, longBody, officeDays, startHarness } from '../fixture/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ FORECAST_MAX_ROWS: '6000' })
})
afterAll(() => harness?.stop())

const fields = { timestamp_field: 'day', value_field: 'people', frequency: 'day', timezone: 'UTC', horizon: 7 }
const rowsOf = (building: string, days = officeDays()) => days.map(({ ts, value }) => [ts, building, value])

/** Starts a run over a source with these records and waits for its end. */
async function runOver(csv: string | undefined, more: Record<string, unknown> = {}) {
  return harness.waitForEnd(await harness.run({ ...fields, data_source_id: await harness.createSource(csv), ...more }))
}

describe('a run from a data source', () => {
  it('creates one series per group and accepts numbers as text', async () => {
    const half = officeDays().map(({ ts, value }) => ({ ts, value: (value ?? 0) / 2 }))
    const csv = csvOf('day,building,people', [...rowsOf('north'), ...rowsOf('south', half)])
    const run = await runOver(csv, { group_by: ['building'] })
    expect(run).toMatchObject({
      status: 'finished',
      input: { ...fields, group_by: ['building'], data_source_id: expect.stringMatching(/^src_/) },
    })
    expect(run.series.map(({ key }: { key: object }) => key)).toEqual([{ building: 'north' }, { building: 'south' }])
    const [north, south] = run.series
    expect(north).toMatchObject({ data_quality: { length: 70, gaps: 0 }, warnings: [] })
    expect(north.points[0].mean).toBeCloseTo(100, 0)
    expect(south.points[0].mean).toBeCloseTo(50, 0)
  })

  it('sums rows of the same step by default, or aggregates as requested', async () => {
    const csv = csvOf(
      'day,people',
      officeDays().flatMap(({ ts, value }) => [
        [`${ts}T09:00:00Z`, value],
        [`${ts}T15:00:00Z`, value],
      ]),
    )
    const data_source_id = await harness.createSource(csv)
    const first = async (more: object) =>
      (await harness.waitForEnd(await harness.run({ ...fields, data_source_id, ...more }))).series[0].points[0].mean
    expect(await first({})).toBeCloseTo(200, 0)
    expect(await first({ aggregation: 'max' })).toBeCloseTo(100, 0)
  })

  it('reads all pages of a source', async () => {
    // A page has 5,000 rows.
    const visits = officeDays().flatMap(({ ts }) =>
      Array.from({ length: 80 }, (_, visit) => [`${ts}T${10 + (visit % 8)}:${10 + Math.floor(visit / 8)}Z`, 1]),
    )
    const run = await runOver(csvOf('day,people', visits))
    expect(visits).toHaveLength(5_600)
    expect(run.series[0].data_quality).toMatchObject({ length: 70, gaps: 0, duplicates: 0 })
    expect(run.series[0].points.map(({ mean }: { mean: number }) => Math.round(mean))).toEqual(Array(7).fill(80))
  })

  it('ignores unusable rows and reports their number', async () => {
    const bad = [
      ['', 'north', 3],
      ['2026-01-06', 'north', 'many'],
      ['2026-01-07', 'north', 'NaN'],
    ]
    const run = await runOver(csvOf('day,building,people', [...rowsOf('north'), ...bad]), { group_by: ['building'] })
    expect(run.status).toBe('finished')
    expect(run.series).toHaveLength(1)
    expect(run.series[0].warnings).toEqual(['3 rows have no usable time or value and were ignored.'])
    expect(run.series[0].points[0].mean).toBeCloseTo(100, 0)
  })

  it('accepts only valid numbers', async () => {
    const strange = ['many', ' ', '0x1F meters', [], [5], {}, true].map((people) => ({ day: '2026-01-06', people }))
    const rows = [...officeDays().map(({ ts, value }) => ({ day: ts, people: ` ${value} ` })), ...strange]
    const id = await harness.createSource()
    const headers = { 'content-type': 'application/json' }
    const sent = { rawBody: JSON.stringify(rows), headers }
    expect((await harness.call('POST', `/v1/data/sources/${id}/records`, sent)).status).toBe(200)
    const run = await harness.waitForEnd(await harness.run({ ...fields, data_source_id: id }))
    expect(run.series[0]).toMatchObject({
      data_quality: { length: 70, gaps: 0 },
      warnings: ['6 rows have no usable time or value and were ignored.'],
    })
    expect(run.series[0].points[1].mean).toBeCloseTo(101, 0)
  })

  it('reports the number of invalid times', async () => {
    const run = await runOver(csvOf('day,building,people', [...rowsOf('north'), ['5 January', 'north', 100]]))
    expect(run.status).toBe('finished')
    expect(run.series[0].warnings).toEqual(['1 timestamps could not be read and were left out.'])
  })

  it('finishes when one group is too short, with an error on that series', async () => {
    const csv = csvOf('day,building,people', [...rowsOf('south', officeDays().slice(-9)), ...rowsOf('north')])
    const run = await runOver(csv, { group_by: ['building'] })
    expect(run).toMatchObject({ status: 'finished', error: null })
    const [south, north] = run.series
    expect(north.points).toHaveLength(7)
    expect(south).toMatchObject({
      key: { building: 'south' },
      points: [],
      model: null,
      error: { code: 'series_too_short', message: 'The series needs at least 28 days of history and has 9.' },
    })
    expect((await harness.events(run.id))[0]?.kind).toBe('FORECASTING_FINISHED')
  })
})

describe('a run that cannot be finished', () => {
  const failed = (code: string, message: unknown) => ({
    status: 'failed',
    series: [],
    finished_at: expect.any(String),
    error: { code, message, retryable: false },
  })

  it('fails when every group is too short', async () => {
    const days = officeDays().slice(-9)
    const csv = csvOf('day,building,people', [...rowsOf('north', days), ...rowsOf('south', days)])
    const run = await runOver(csv, { group_by: ['building'] })
    const message = 'The series needs at least 28 days of history and has 9.'
    expect(run).toMatchObject(failed('series_too_short', message))
    expect(await harness.events(run.id)).toMatchObject([
      {
        kind: 'FORECASTING_FAILED',
        data: { id: run.id, status: 'failed', error: { code: 'series_too_short', message } },
      },
    ])
  })

  it('fails when the source has no usable rows', async () => {
    const message = 'The data source has no row with a time in "day" and a number in "people"'
    const none = await runOver(undefined)
    expect(none).toMatchObject(failed('no_data', message))
    expect((await harness.events(none.id)).map(({ kind }) => kind)).toEqual(['FORECASTING_FAILED'])
    const useless = await runOver(
      csvOf(
        'day,people',
        officeDays().map(({ ts }) => [ts, 'many']),
      ),
    )
    expect(useless).toMatchObject(failed('no_data', message))
  })

  it('fails when the source exceeds the row limit', async () => {
    const rows = Array.from({ length: 6001 }, (_, n) => ['2026-01-05', n % 51, n])
    const csv = csvOf('day,desk,people', rows)
    expect(await runOver(csv)).toMatchObject(failed('too_many_rows', expect.stringContaining(' 6000 rows')))
    const wide = { group_by: ['desk'], horizon: 2000 }
    const fewer = csvOf('day,desk,people', rows.slice(0, 100))
    expect(await runOver(fewer, wide)).toMatchObject(
      failed('too_many_series', expect.stringContaining(' 100000 points')),
    )
  })

  it('fails when a named field does not exist', async () => {
    const csv = csvOf('day,building,people', rowsOf('north'))
    for (const named of [{ value_field: 'persons' }, { timestamp_field: 'date' }])
      expect(await runOver(csv, named)).toMatchObject(failed('no_data', expect.stringMatching(/"(persons|date)"/)))
  })
})

describe('a source deleted while the run is queued', () => {
  it('fails the run', async () => {
    const long = await harness.run(longBody())
    await harness.waitUntilRunning(long)
    const source = await harness.createSource(csvOf('day,building,people', rowsOf('north')))
    const id = await harness.run({ ...fields, data_source_id: source })
    expect((await harness.call('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
    await harness.call('POST', `/v1/solutions/workplace/forecast/runs/${long}/cancel`)
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'failed', error: { code: 'not_found' } })
  })
})
