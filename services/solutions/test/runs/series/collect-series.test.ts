import { describe, expect, it } from '@jest/globals'
import type { RunInput } from '../../../src/runs/input/run-input.ts'
import { collectSeries } from '../../../src/runs/series/collect-series.ts'

type Internal = Parameters<typeof collectSeries>[0]['internal']

const parameters: RunInput['parameters'] = {
  data_source_id: 'src_1',
  timestamp_field: 'time',
  value_field: 'people',
  frequency: 'hour',
  aggregation: 'sum',
  timezone: 'UTC',
  horizon: 24,
  levels: [0.8],
}

/** Collects the series of rows whose cells are in the order time, value, group. */
function collect(rows: unknown[][], more: Partial<RunInput['parameters']> = {}, refused?: number) {
  const page = { rows, after: null, ...(refused !== undefined && { refused_rows: refused }) }
  const internal = { callForCaller: async () => page } as unknown as Internal // collecting calls `readRows` alone
  const context = { internal, config: { FORECAST_MAX_ROWS: 1_000 } } as Parameters<typeof collectSeries>[0] // reads no more
  const caller = {} as Parameters<typeof collectSeries>[1] // passed on only
  return collectSeries(context, caller, { parameters: { ...parameters, ...more } }, AbortSignal.timeout(60_000))
}

const hours = (count: number, cellsOf: (hour: number) => unknown[]): unknown[][] =>
  Array.from({ length: count }, (_, hour) => [new Date(Date.UTC(2024, 0, 1, hour)).toISOString(), ...cellsOf(hour)])

describe('the rows of a data source', () => {
  it('are a series for each column and group when value_field is a list', async () => {
    const rows = hours(4, (hour) => [hour, 10 * hour, hour % 2 === 0 ? 'a' : 'b'])
    const series = await collect(rows, { value_field: ['North', 'South'], group_by: ['floor'] })
    expect(series.map(({ key, points }) => [key, points.map(({ value }) => value)])).toEqual([
      [{ floor: 'a', field: 'North' }, [0, 2]],
      [{ floor: 'a', field: 'South' }, [0, 20]],
      [{ floor: 'b', field: 'North' }, [1, 3]],
      [{ floor: 'b', field: 'South' }, [10, 30]],
    ])
  })

  it('are counted when the aggregation is count, with a value of any type or without a column', async () => {
    const rows = hours(3, (hour) => [hour === 1 ? ' ' : 'uid-005'])
    const [named] = await collect(rows, { value_field: 'person', aggregation: 'count' })
    expect(named?.points.map(({ value }) => value)).toEqual([1, null, 1])
    const { value_field: _value, ...rest } = parameters
    const timesOnly = rows.map(([time]) => [time])
    const [all] = await collect(timesOnly, { ...rest, value_field: undefined, aggregation: 'count' })
    expect(all?.points.map(({ value }) => value)).toEqual([1, 1, 1])
  })

  it('are gaps, and not unusable, when they are empty', async () => {
    const [series] = await collect([...hours(2, (hour) => [hour]), ['2024-01-02', ''], ['', null]])
    expect(series).toMatchObject({ unusableRows: 0, warnings: [] })
    expect(series?.points.map(({ value }) => value)).toEqual([0, 1, null, null])
  })

  it('are unusable when a point may be a mark for thousands, and used once another value decides', async () => {
    const rows = [...hours(40, (hour) => [String(hour)]), ['2024-01-03', '1.386']]
    const [doubtful] = await collect(rows)
    expect(doubtful).toMatchObject({ unusableRows: 1, points: { length: 40 } })
    expect(doubtful?.warnings).toEqual([
      "1 row was ignored: `people` holds a number that can be read with a decimal point or a mark for thousands: '1.386'.",
    ])
    const [decided] = await collect([...rows, ['2024-01-04', '12.5']])
    expect(decided).toMatchObject({ unusableRows: 0, warnings: [] })
    expect(decided?.points.at(-2)?.value).toBe(1.386)
  })

  it('have the measure that the run states, or else the name of their column', async () => {
    const rows = hours(2, (hour) => [hour, hour])
    const wide = await collect(rows, { value_field: ['occupancy', 'arrivals'] })
    expect(wide.map(({ measure }) => measure)).toEqual(['level', 'flow'])
    const stated = await collect(rows, { value_field: ['occupancy', 'arrivals'], measure: 'flow' })
    expect(stated.map(({ measure }) => measure)).toEqual(['flow', 'flow'])
  })

  it('are counted when they are true, and are 0 when they are false, in a column of both', async () => {
    const rows = hours(4, (hour) => [hour % 2 === 0])
    const [series] = await collect(rows, { value_field: 'present', aggregation: 'count' })
    expect(series?.points.map(({ value }) => value)).toEqual([1, 0, 1, 0])
  })

  it('exceed the limit of rows when each counts for several columns', async () => {
    const failed = collect(
      hours(501, () => [1, 2]),
      { value_field: ['North', 'South'] },
    )
    await expect(failed).rejects.toThrow('at most 1000 rows of a data source, and 500 with 2 columns of values')
  })
})

describe('rows that were refused before', () => {
  const rows = hours(97, (hour) => [hour])
  const grouped = hours(97, (hour) => [hour, hour % 2 === 0 ? 'a' : 'b'])

  it('count as unusable rows of the series when there is one', async () => {
    const [series] = await collect(rows, {}, 3)
    expect(series).toMatchObject({ unusableRows: 3, mayLackRows: true })
    expect(series?.warnings).toEqual([
      '3 rows were ignored: refused when the data source was read, as its upload or sync lists.',
    ])
  })

  it('are named in the warnings of every series when there are several', async () => {
    const series = await collect(grouped, { group_by: ['floor'] }, 3)
    for (const one of series) {
      expect(one).toMatchObject({ unusableRows: 0, mayLackRows: true })
      expect(one.warnings).toEqual([
        '3 rows of the data source were refused when they were read, maybe of this series.',
      ])
    }
  })

  it('fail the run when they are too many', async () => {
    const message =
      'Only 97 of 103 rows (94.1 %) can be used, and `min_usable_share` is 95 %. ' +
      '6 rows: refused when the data source was read, as its upload or sync lists.'
    for (const collected of [collect(rows, {}, 6), collect(grouped, { group_by: ['floor'] }, 6)])
      await expect(collected).rejects.toMatchObject({ error: { code: 'too_few_usable_rows', message } })
  })
})
