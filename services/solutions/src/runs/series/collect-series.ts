import { type Caller, dataInternal } from '@wp/contracts'
import type { Context } from '../../context.ts'
import type { InputSeries } from '../../forecast/index.ts'
import type { RunInput } from '../input/run-input.ts'
import { failure } from './failure.ts'
import { type ColumnNames, IgnoredRows } from './ignored-rows.ts'
import { createRowReader } from './read-row.ts'

/** Limits the size of a result. */
const maxForecastPoints = 100_000
const tooManySeries = `A run forecasts at most ${maxForecastPoints} points: ask for fewer groups or a shorter horizon`

/** A series, and warnings about rows that it does not contain. */
export interface CollectedSeries extends InputSeries {
  warnings: string[]
}

/** A series while its rows are read. */
interface Group extends InputSeries {
  ignored: IgnoredRows
}

/**
 * Returns inline series as they are. Reads the rows of a data source as the caller, page by page, and divides them into
 * one series per group.
 * @throws JobFailure if there are none, or too many
 */
export async function collectSeries(
  { internal, config: { FORECAST_MAX_ROWS: maxRows } }: Pick<Context, 'internal' | 'config'>,
  caller: Caller,
  { parameters, series = [] }: RunInput,
  signal: AbortSignal,
): Promise<CollectedSeries[]> {
  const { data_source_id: source, timestamp_field: time, value_field: value, group_by: groupBy = [] } = parameters
  if (source === undefined || time === undefined || value === undefined)
    return series.map((inline) => ({ ...inline, warnings: [] }))
  const groups = new Map<string, Group>()
  const fields = [time, value, ...groupBy].map(encodeURIComponent).join(',')
  const readRow = createRowReader(parameters.timestamp_format)
  let rows = 0
  for (let after: string | null | undefined; after !== null; ) {
    signal.throwIfAborted()
    const query = { fields, ...(after === undefined ? {} : { after }) }
    const page = await internal.call(dataInternal.readRows, caller, {
      params: { data_source_id: source },
      query,
      body: undefined,
    })
    for (const [ts, measured, ...key] of page.rows) {
      const { points, ignored } = groupOf(groups, groupBy, key)
      const row = readRow(ts, measured)
      if ('point' in row) points.push(row.point)
      else ignored.add(row.ignored, row.cell)
    }
    rows += page.rows.length
    if (rows > maxRows) throw failure('too_many_rows', `A run can use at most ${maxRows} rows of a data source`)
    if (groups.size * parameters.horizon > maxForecastPoints) throw failure('too_many_series', tooManySeries)
    after = page.after
  }
  const columns = { time, value, format: parameters.timestamp_format }
  requireValues([...groups.values()], columns)
  return [...groups.values()].map(({ ignored, ...collected }) => ({
    ...collected,
    warnings: ignored.warnings(columns),
  }))
}

/** @throws JobFailure that names the column at fault, with an example, if no row has a time and a number */
function requireValues(groups: readonly Group[], { time, value, format }: ColumnNames): void {
  if (groups.some(({ points }) => points.some((point) => point.value !== null))) return
  if (groups.every(({ points }) => points.length === 0)) {
    const exampleOf = (reason: 'time_unreadable' | 'value_unreadable') =>
      groups.map(({ ignored }) => ignored.exampleOf(reason)).find((example) => example !== undefined)
    const number = exampleOf('value_unreadable')
    if (number !== undefined) throw failure('unreadable_values', `\`${value}\` holds no numbers: ${number}`)
    const text = exampleOf('time_unreadable')
    if (text !== undefined) throw failure('unreadable_times', describeTimes(time, text, format))
  }
  throw failure('no_data', `The data source has no row with a time in "${time}" and a number in "${value}"`)
}

const describeTimes = (time: string, example: string, format: string | undefined) =>
  format === undefined
    ? `\`${time}\` holds no times: ${example}. State their format in timestamp_format, for example \`DD.MM.YYYY HH:mm\``
    : `\`${time}\` holds no times of the format \`${format}\`: ${example}`

function groupOf(groups: Map<string, Group>, groupBy: readonly string[], values: readonly unknown[]): Group {
  const keyValues = values.map((value) => (value === null || value === undefined ? '' : String(value)))
  const name = JSON.stringify(keyValues)
  const existing = groups.get(name)
  if (existing !== undefined) return existing
  const created = {
    key: Object.fromEntries(groupBy.map((field, index) => [field, keyValues[index] ?? ''])),
    points: [],
    ignored: new IgnoredRows(),
  }
  groups.set(name, created)
  return created
}
