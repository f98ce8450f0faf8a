import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { csvOf, longBody, officeDays, openWorld, type World } from './fixture/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ FORECAST_MAX_ROWS: '6000' })
})
afterAll(() => world?.stop())

const fields = { timestamp_field: 'day', value_field: 'people', frequency: 'day', timezone: 'UTC', horizon: 7 }
const rowsOf = (building: string, days = officeDays()) => days.map(({ ts, value }) => [ts, building, value])

/** Starts a run over these records and waits for its end. */
async function runOver(csv: string | undefined, more: Record<string, unknown> = {}) {
  return world.ended(await world.run({ ...fields, data_source_id: await world.source(csv), ...more }))
}

describe('a run from a data source', () => {
  it('makes one series a group, of numbers that came as text', async () => {
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

  it('adds up rows of one step where nothing tells them apart, or does as it is told', async () => {
    const csv = csvOf(
      'day,people',
      officeDays().flatMap(({ ts, value }) => [
        [`${ts}T09:00:00Z`, value],
        [`${ts}T15:00:00Z`, value],
      ]),
    )
    const data_source_id = await world.source(csv)
    const first = async (more: object) =>
      (await world.ended(await world.run({ ...fields, data_source_id, ...more }))).series[0].points[0].mean
    expect(await first({})).toBeCloseTo(200, 0)
    expect(await first({ aggregation: 'max' })).toBeCloseTo(100, 0)
  })

  it('reads all there is, page by page', async () => {
    // A page holds 5,000 rows.
    const visits = officeDays().flatMap(({ ts }) =>
      Array.from({ length: 80 }, (_, visit) => [`${ts}T${10 + (visit % 8)}:${10 + Math.floor(visit / 8)}Z`, 1]),
    )
    const run = await runOver(csvOf('day,people', visits))
    expect(visits).toHaveLength(5_600)
    expect(run.series[0].data_quality).toMatchObject({ length: 70, gaps: 0, duplicates: 0 })
    expect(run.series[0].points.map(({ mean }: { mean: number }) => Math.round(mean))).toEqual(Array(7).fill(80))
  })

  it('leaves out rows it cannot use and says how many', async () => {
    const bad = [
      ['', 'north', 3],
      ['2026-01-06', 'north', 'many'],
      ['2026-01-07', 'north', 'NaN'],
    ]
    const run = await runOver(csvOf('day,building,people', [...rowsOf('north'), ...bad]), { group_by: ['building'] })
    expect(run.status).toBe('finished')
    expect(run.series).toHaveLength(1)
    expect(run.series[0].warnings).toEqual(['3 rows have no usable time or value and took no part.'])
    expect(run.series[0].points[0].mean).toBeCloseTo(100, 0)
  })

  it('takes for a number only what is one', async () => {
    const strange = ['many', ' ', '0x1F meters', [], [5], {}, true].map((people) => ({ day: '2026-01-06', people }))
    const rows = [...officeDays().map(({ ts, value }) => ({ day: ts, people: ` ${value} ` })), ...strange]
    const id = await world.source()
    const headers = { 'content-type': 'application/json' }
    const sent = { rawBody: JSON.stringify(rows), headers }
    expect((await world.call('POST', `/v1/data/sources/${id}/records`, sent)).status).toBe(200)
    const run = await world.ended(await world.run({ ...fields, data_source_id: id }))
    expect(run.series[0]).toMatchObject({
      data_quality: { length: 70, gaps: 0 },
      warnings: ['6 rows have no usable time or value and took no part.'],
    })
    expect(run.series[0].points[1].mean).toBeCloseTo(101, 0)
  })

  it('says of times it cannot read how many there were', async () => {
    const run = await runOver(csvOf('day,building,people', [...rowsOf('north'), ['5 January', 'north', 100]]))
    expect(run.status).toBe('finished')
    expect(run.series[0].warnings).toEqual(['1 timestamps could not be read and were left out.'])
  })

  it('finishes where one group is too short, which says so itself', async () => {
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
    expect((await world.events(run.id))[0]?.kind).toBe('FORECASTING_FINISHED')
  })
})

describe('a run that cannot be finished', () => {
  const failed = (code: string, message: unknown) => ({
    status: 'failed',
    series: [],
    finished_at: expect.any(String),
    error: { code, message, retryable: false },
  })

  it('fails where every group is too short', async () => {
    const days = officeDays().slice(-9)
    const csv = csvOf('day,building,people', [...rowsOf('north', days), ...rowsOf('south', days)])
    const run = await runOver(csv, { group_by: ['building'] })
    const message = 'The series needs at least 28 days of history and has 9.'
    expect(run).toMatchObject(failed('series_too_short', message))
    expect(await world.events(run.id)).toMatchObject([
      {
        kind: 'FORECASTING_FAILED',
        data: { id: run.id, status: 'failed', error: { code: 'series_too_short', message } },
      },
    ])
  })

  it('fails where there is nothing, or nothing usable', async () => {
    const message = 'The data source has no row with a time in "day" and a number in "people"'
    const none = await runOver(undefined)
    expect(none).toMatchObject(failed('no_data', message))
    expect((await world.events(none.id)).map(({ kind }) => kind)).toEqual(['FORECASTING_FAILED'])
    const useless = await runOver(
      csvOf(
        'day,people',
        officeDays().map(({ ts }) => [ts, 'many']),
      ),
    )
    expect(useless).toMatchObject(failed('no_data', message))
  })

  it('fails where there is more than it can work on', async () => {
    const rows = Array.from({ length: 6001 }, (_, n) => ['2026-01-05', n % 51, n])
    const csv = csvOf('day,desk,people', rows)
    expect(await runOver(csv)).toMatchObject(failed('too_many_rows', expect.stringContaining(' 6000 rows')))
    const wide = { group_by: ['desk'], horizon: 2000 }
    const fewer = csvOf('day,desk,people', rows.slice(0, 100))
    expect(await runOver(fewer, wide)).toMatchObject(
      failed('too_many_series', expect.stringContaining(' 100000 points')),
    )
  })

  it('fails where a field it names is not there', async () => {
    const csv = csvOf('day,building,people', rowsOf('north'))
    for (const named of [{ value_field: 'persons' }, { timestamp_field: 'date' }])
      expect(await runOver(csv, named)).toMatchObject(failed('no_data', expect.stringMatching(/"(persons|date)"/)))
  })
})

describe('a source that went while the run waited', () => {
  it('fails it', async () => {
    const long = await world.run(longBody())
    await world.running(long)
    const source = await world.source(csvOf('day,building,people', rowsOf('north')))
    const id = await world.run({ ...fields, data_source_id: source })
    expect((await world.call('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
    await world.call('POST', `/v1/solutions/workplace/forecast/runs/${long}/cancel`)
    expect(await world.ended(id)).toMatchObject({ status: 'failed', error: { code: 'not_found' } })
  })
})
