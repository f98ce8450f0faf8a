import { afterAll, describe, expect, it } from '@jest/globals'
import { csvOf, longBody, officeDays, recommendations, startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ FORECAST_MAX_ROWS: '6000' })
afterAll(() => harness.stop())

const fields = { timestamp_field: 'day', value_field: 'people', frequency: 'day', timezone: 'UTC', horizon: 7 }
const noRecommendation = 'No recommendation is made from this series: some of its rows could not be used.'
const rowsOf = (building: string, days = officeDays()) => days.map(({ ts, value }) => [ts, building, value])

/** Declared as text, the values reach the run as they are in the file. */
const asText = { fields: { day: { type: 'string' }, people: { type: 'string' } } }

/** Starts a run over a source with these records and waits for its end. */
async function runOver(csv: string | undefined, more: Record<string, unknown> = {}, config = {}) {
  const data_source_id = await harness.createSource(csv, config)
  return harness.waitForEnd(await harness.run({ ...fields, data_source_id, ...more }))
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

  it('adds the rows of two buildings without group_by, as when they are added by hand', async () => {
    const south = officeDays().map(({ ts, value }, day) => ({ ts, value: 2 * (value ?? 0) + (day % 5) }))
    const both = await runOver(csvOf('day,building,people', [...rowsOf('north'), ...rowsOf('south', south)]))
    const byHand = south.map(({ ts, value }, day) => [ts, value + (officeDays()[day]?.value ?? 0)])
    const sum = await runOver(csvOf('day,people', byHand))
    expect(both.series).toHaveLength(1)
    expect(both.series[0].points).toEqual(sum.series[0].points)
    expect(both.series[0].points[1].mean).toBeGreaterThan(300)
    expect(both.series[0].data_quality).toMatchObject({ length: 70, gaps: 0, duplicates: 70, rows_read: 140 })
    expect(both.series[0].warnings).toContain('70 values have the timestamp of another one; all were added.')
  })

  it('reads times of the requested format', async () => {
    const german = officeDays().map(({ ts, value }) => [`${ts.split('-').reverse().join('.')} 08:00`, value])
    const run = await runOver(csvOf('day,people', german), { timestamp_format: 'DD.MM.YYYY HH:mm' })
    expect(run.series[0]).toMatchObject({ data_quality: { length: 70, gaps: 0 }, warnings: [] })
    expect(run.series[0].points[0].ts).toBe('2026-03-16T00:00:00.000Z')
    const compact = officeDays().map(({ ts, value }) => [ts.replaceAll('-', ''), value])
    const dates = await runOver(csvOf('day,people', compact), { timestamp_format: 'YYYYMMDD' })
    expect(dates.series[0].points).toEqual(run.series[0].points)
  })

  it('limits each group to its own capacity, and recommends without a capacity where it has none', async () => {
    const csv = csvOf('day,building,floor,people', [
      ...officeDays().flatMap(({ ts, value }) => [
        [ts, 'a/b', 1, value],
        [ts, 'south', 2, value],
      ]),
    ])
    const run = await runOver(csv, { group_by: ['building', 'floor'], capacity: { 'a~1b/1': 300, north: 9 } })
    const [north, south] = run.series
    expect(north.warnings).toEqual([])
    expect(south.warnings).toEqual(['`capacity` has no number for "south/2".'])
    const recommended = await harness.call('GET', `${recommendations}?forecast_run_id=${run.id}&limit=100`)
    const figuresOf = (building: string) =>
      recommended.body.data
        .filter(({ key }: { key: { building: string } }) => key.building === building)
        .map(({ figures }: { figures: object }) => figures)
    expect(figuresOf('a/b')).toEqual([expect.objectContaining({ capacity: 300, days_considered: 5 })])
    expect(figuresOf('south')).toEqual([expect.not.objectContaining({ capacity: expect.anything() })])
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

  it('is refused when the highest value would be that of one of several places', async () => {
    const rows = rowsOf('north').flatMap(([day, , value]) => [
      [day, 'north', value],
      [day, 'south', 20],
    ])
    const data_source_id = await harness.createSource(csvOf('day,building,people', rows))
    const asked = { ...fields, data_source_id, aggregation: 'max' }
    const { error } = await harness.waitForEnd(await harness.run(asked))
    expect(error).toMatchObject({ code: 'several_places', message: expect.stringMatching(/ and 20 at .*`group_by`/) })
    const grouped = await harness.waitForEnd(await harness.run({ ...asked, group_by: ['building'] }))
    expect(grouped.series).toHaveLength(2)
    const points = rows.map(([ts, , value]) => ({ ts, value }))
    const inline = { series: [{ key: {}, points }], frequency: 'day', timezone: 'UTC', horizon: 7, aggregation: 'max' }
    const refused = await harness.start(inline)
    expect(refused.body.errors).toEqual([expect.objectContaining({ pointer: '/series/0/points' })])
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

  it('ignores a few unusable rows and reports their number', async () => {
    const bad = [
      ['', 'north', 3],
      ['2026-01-06', 'north', 'many'],
      ['2026-01-07', 'north', 'NaN'],
    ]
    const csv = csvOf('day,building,people', [...rowsOf('north'), ...bad])
    const run = await runOver(csv, { group_by: ['building'] }, asText)
    expect(run.status).toBe('finished')
    expect(run.series).toHaveLength(1)
    expect(run.series[0].warnings.toSorted()).toEqual([
      '1 row was ignored: `day` is empty.',
      expect.stringMatching(/^2 rows were ignored: `people` holds no number: '(many|NaN)'\.$/),
      noRecommendation,
    ])
    expect(run.series[0].data_quality).toMatchObject({ rows_read: 73, rows_empty: 0, rows_used: 70 })
    expect(run.series[0].data_quality.usable_share).toBeCloseTo(70 / 73, 9)
    expect(run.series[0].points[0].mean).toBeCloseTo(100, 0)
  })

  it('accepts only valid numbers', async () => {
    const strange = ['many', ' ', '0x1F', [], [5], {}, true].map((people) => ({ day: '2026-01-06', people }))
    const rows = [...officeDays().map(({ ts, value }) => ({ day: ts, people: ` ${value} ` })), ...strange]
    const id = await harness.createSource()
    const headers = { 'content-type': 'application/json' }
    const sent = { rawBody: JSON.stringify(rows), headers }
    expect((await harness.call('POST', `/v1/data/sources/${id}/records`, sent)).status).toBe(200)
    const run = await harness.waitForEnd(await harness.run({ ...fields, data_source_id: id, min_usable_share: 0.9 }))
    expect(run.series[0]).toMatchObject({ data_quality: { length: 70, gaps: 0, rows_used: 70 } })
    expect(run.series[0].points[1].mean).toBeCloseTo(101, 0)
  })

  it('lists a group without any usable row, with an error on that series', async () => {
    const csv = csvOf('day,building,people', [...rowsOf('north'), ['5 January', 'south', 100]])
    const { series } = await runOver(csv, { group_by: ['building'] }, asText)
    expect(series[1]).toMatchObject({
      key: { building: 'south' },
      error: {
        code: 'too_few_usable_rows',
        message:
          'Only 0 of 1 rows (0 %) can be used, and `min_usable_share` is 95 %. ' +
          "1 row: `day` holds no time: '5 January'.",
      },
      warnings: ["1 row was ignored: `day` holds no time: '5 January'."],
    })
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
      error: { code: 'series_too_short', message: 'The series needs at least 28 days of history and has 9 days.' },
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
    const message = 'The series needs at least 28 days of history and has 9 days.'
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
    const none = await runOver(csvOf('day,people', [['2026-01-05', '']]))
    expect(none).toMatchObject(failed('no_data', message))
    expect((await harness.events(none.id)).map(({ kind }) => kind)).toEqual(['FORECASTING_FAILED'])
  })

  it('fails with the column that holds no times or no numbers, and an example', async () => {
    const words = await runOver(csvOf('day,people', [['2026-01-05', 'many']]), {}, asText)
    expect(words).toMatchObject(failed('unreadable_values', "`people` holds no numbers: 'many'"))
    const csv = csvOf('zeit,people', [['01.02.2026 08:00', 7]])
    const zeitAsText = { fields: { zeit: { type: 'string' } } }
    const german = await runOver(csv, { timestamp_field: 'zeit' }, zeitAsText)
    const advice = 'State their format in timestamp_format, for example `DD.MM.YYYY HH:mm`'
    expect(german).toMatchObject(failed('unreadable_times', `\`zeit\` holds no times: '01.02.2026 08:00'. ${advice}`))
    const format = { timestamp_field: 'zeit', timestamp_format: 'MM/DD/YYYY HH:mm' }
    const american = await runOver(csv, format, zeitAsText)
    const message = "`zeit` holds no times of the format `MM/DD/YYYY HH:mm`: '01.02.2026 08:00'"
    expect(american).toMatchObject(failed('unreadable_times', message))
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
