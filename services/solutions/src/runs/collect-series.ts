import { type Caller, dataInternal } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { InputPoint, InputSeries } from '../forecast/index.ts'
import { failure } from './failure.ts'
import type { RunInput } from './run-input.ts'

/** Limits the size of a result. */
const maxForecastPoints = 100_000
const tooManySeries = `A run forecasts at most ${maxForecastPoints} points: ask for fewer groups or a shorter horizon`

/** The series read from a source, and the number of unusable rows. */
export interface CollectedSeries {
  series: InputSeries[]
  /** Rows with a value that is not a number or without a time. */
  unusable: number
}

/**
 * Reads the rows of a data source as the caller, page by page, and groups them into one series per group.
 * @throws JobFailure if there are none, or too many
 */
export async function collectSeries(
  { internal, config: { FORECAST_MAX_ROWS: maxRows } }: Pick<Context, 'internal' | 'config'>,
  caller: Caller,
  { parameters, series = [] }: RunInput,
  signal: AbortSignal,
): Promise<CollectedSeries> {
  const {
    data_source_id: source,
    timestamp_field: timeField,
    value_field: valueField,
    group_by: groupBy = [],
  } = parameters
  if (source === undefined || timeField === undefined || valueField === undefined) return { series, unusable: 0 }
  const groups = new Map<string, InputSeries>()
  const fields = [timeField, valueField, ...groupBy].map(encodeURIComponent).join(',')
  let unusable = 0
  let rows = 0
  for (let after: string | null | undefined; after !== null; ) {
    signal.throwIfAborted()
    const query = { fields, ...(after === undefined ? {} : { after }) }
    const page = await internal.call(dataInternal.readRows, caller, {
      params: { data_source_id: source },
      query,
      body: undefined,
    })
    for (const [ts, value, ...key] of page.rows) {
      const point = pointOf(ts, value)
      if (point === undefined) unusable += 1
      else seriesOf(groups, groupBy, key).points.push(point)
    }
    rows += page.rows.length
    if (rows > maxRows) throw failure('too_many_rows', `A run can use at most ${maxRows} rows of a data source`)
    if (groups.size * parameters.horizon > maxForecastPoints) throw failure('too_many_series', tooManySeries)
    after = page.after
  }
  const collected = [...groups.values()]
  if (!collected.some(({ points }) => points.some(({ value }) => value !== null)))
    throw failure('no_data', `The data source has no row with a time in "${timeField}" and a number in "${valueField}"`)
  return { series: collected, unusable }
}

function pointOf(ts: unknown, value: unknown): InputPoint | undefined {
  const at = typeof ts === 'string' ? ts.trim() : ''
  const measured = numberOf(value)
  return at === '' || measured === undefined ? undefined : { ts: at, value: measured }
}

/** Returns null for an empty value, which is a gap, and undefined for anything that is not a number. */
function numberOf(value: unknown): number | null | undefined {
  if (value === null) return null
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  // Number('') is 0.
  if (typeof value === 'string' && value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function seriesOf(
  groups: Map<string, InputSeries>,
  groupBy: readonly string[],
  values: readonly unknown[],
): InputSeries {
  const keyValues = values.map((value) => (value === null || value === undefined ? '' : String(value)))
  const name = JSON.stringify(keyValues)
  const existing = groups.get(name)
  if (existing !== undefined) return existing
  const created = {
    key: Object.fromEntries(groupBy.map((field, index) => [field, keyValues[index] ?? ''])),
    points: [],
  }
  groups.set(name, created)
  return created
}
