import { afterAll, describe, expect, it } from '@jest/globals'
import { csvOf, officeDays, runs, startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const hourly = { frequency: 'hour', timezone: 'UTC', horizon: 24 }
const daily = { frequency: 'day', timezone: 'UTC', horizon: 7 }

const runOver = async (csv: string, body: Record<string, unknown>) =>
  harness.waitForEnd(await harness.run({ ...body, data_source_id: await harness.createSource(csv) }))

/** Three weeks of hours, of which the midday has the most people. */
const hours = Array.from({ length: 21 * 24 }, (_, index) => {
  const hour = index % 24
  return {
    day: new Date(Date.UTC(2024, 0, 1 + Math.floor(index / 24))),
    hour,
    people: hour > 6 && hour < 20 ? 40 - Math.abs(12 - hour) : 2,
  }
})
const iso = (day: Date): string => day.toISOString().slice(0, 10)
const american = (day: Date): string => iso(day).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')

describe('a run over two columns of times', () => {
  it('reads a date and an hour when the format is that of the date', async () => {
    const csv = csvOf(
      'Date,Hour,InCount',
      hours.map(({ day, hour, people }) => [american(day), hour, people]),
    )
    const body = { ...hourly, timestamp_format: 'MM/DD/YYYY', value_field: 'InCount' }
    const run = await runOver(csv, { ...body, timestamp_field: ['Date', 'Hour'] })
    expect(run).toMatchObject({ status: 'finished', input: { timestamp_field: ['Date', 'Hour'], aggregation: 'sum' } })
    expect(run.series[0]).toMatchObject({
      data_quality: { length: 504, gaps: 0, duplicates: 0, rows_read: 504, rows_used: 504, usable_share: 1 },
      warnings: [],
    })
    expect(run.series[0].points[0].ts).toBe('2024-01-22T00:00:00.000Z')
    expect(run.series[0].points[12].mean).toBeCloseTo(40, 0)
    const reversed = await harness.waitForEnd(
      await harness.run({ ...body, timestamp_field: ['Hour', 'Date'], data_source_id: run.input.data_source_id }),
    )
    expect(reversed.series[0].points).toEqual(run.series[0].points)
  })

  it('reads the start of a range when one column has ranges', async () => {
    const rows = hours.map(({ day, hour, people }) => [iso(day), `${hour}:00-${hour}:59`, people])
    const body = { ...hourly, timestamp_field: ['Date', 'Time'], value_field: 'Count' }
    const run = await runOver(csvOf('Date,Time,Count', rows), body)
    expect(run.series[0].data_quality).toMatchObject({ length: 504, rows_used: 504 })
    expect(run.series[0].points[12].mean).toBeCloseTo(40, 0)
  })
})

describe('a run over several columns of values', () => {
  it('has a series for each, named by its key, with its own capacity, content and accuracy', async () => {
    const rows = officeDays().map(({ ts, value }) => [ts, value, (value ?? 0) / 2])
    const run = await runOver(csvOf('day,North,South', rows), {
      ...daily,
      timestamp_field: 'day',
      value_field: ['North', 'South'],
      capacity: { North: 90 },
    })
    expect(run.series.map(({ key }: { key: object }) => key)).toEqual([{ field: 'North' }, { field: 'South' }])
    const [north, south] = run.series
    expect(Math.max(...north.points.map(({ upper_95: upper }: { upper_95: number }) => upper))).toBe(90)
    expect(south.points[0].mean).toBeCloseTo(50, 0)
    expect(south.warnings).toEqual(['`capacity` has no number for "South".'])
    const { body: content } = await harness.call('GET', `${runs}/${run.id}/content`)
    expect(String(content).split('\r\n')[0]).toBe('field,ts,mean,lower_80,upper_80,lower_95,upper_95')
    const accuracy = await harness.call('GET', `${runs}/${run.id}/accuracy`)
    expect(accuracy.body.data.series).toMatchObject([
      { key: { field: 'North' }, steps: 0, warnings: [] },
      { key: { field: 'South' }, steps: 0, warnings: [] },
    ])
  })
})

describe('the aggregation of a run', () => {
  it('counts the rows when it is count', async () => {
    const swipes = officeDays().flatMap(({ ts, value }) =>
      Array.from({ length: Math.ceil((value ?? 0) / 10) }, (_, swipe) => [`${ts} 08:${10 + swipe}`, `uid-${swipe}`]),
    )
    const run = await runOver(csvOf('Date,User ID', swipes), {
      ...daily,
      timestamp_field: 'Date',
      aggregation: 'count',
    })
    expect(run.input).toMatchObject({ aggregation: 'count' })
    expect(run.input).not.toHaveProperty('value_field')
    expect(run.series[0]).toMatchObject({ data_quality: { rows_used: swipes.length, duplicates: 0 } })
    // The last swipe is on a Friday.
    expect(run.series[0].points.map(({ mean }: { mean: number }) => Math.round(mean))).toEqual([
      0, 0, 10, 11, 11, 10, 1,
    ])
  })

  it('is the highest value when the measure is a level, and warns with the arithmetic when levels are added', async () => {
    const rows = officeDays().flatMap(({ ts, value }) =>
      Array.from({ length: 12 }, (_, reading) => [`${ts}T${10 + reading}:00`, (value ?? 0) + (reading % 3)]),
    )
    const body = { ...daily, timestamp_field: 'time', value_field: 'people' }
    const level = await runOver(csvOf('time,people', rows), { ...body, measure: 'level' })
    expect(level.input).toMatchObject({ aggregation: 'max', measure: 'level' })
    expect(level.series[0].points[0].mean).toBeCloseTo(102, 0)
    const sum = await harness.waitForEnd(
      await harness.run({ ...body, measure: 'level', aggregation: 'sum', data_source_id: level.input.data_source_id }),
    )
    expect(sum.series[0].warnings).toEqual([
      expect.stringMatching(/^12 values of 1 hour were added to a day: 1,236 for a highest single value of 104\./),
      'No recommendation is made from this series: its sums may count the same people several times.',
    ])
  })
})

describe('the columns of a run', () => {
  const columns = { ...daily, timestamp_field: 'day', value_field: 'people' }
  it.each([
    ['/timestamp_field/1', { timestamp_field: ['day', 'hour'] }],
    ['/value_field/1', { value_field: ['people', 'persons'] }],
    ['/timestamp_field', { timestamp_field: ['day', 'day'] }],
    ['/value_field', { value_field: ['people', 'people'] }],
    ['/value_field', { value_field: undefined }],
    ['/group_by/0', { value_field: ['people'], group_by: ['field'] }],
    ['/value_field', { value_field: Array.from({ length: 50 }, (_, index) => `${index}${'ü'.repeat(20)}`) }],
  ])('are refused at %s when they are %j', async (pointer, more) => {
    const data_source_id = await harness.createSource(csvOf('day,people', [['2026-01-05', 7]]))
    expect(await harness.start({ ...columns, ...more, data_source_id })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, detail: expect.any(String) }] },
    })
  })
})
