import { type Caller, dataInternal } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { InputPoint, InputSeries } from '../forecast/index.ts'
import { failure } from './failure.ts'
import type { RunInput } from './run-input.ts'

/** Beyond this the result could neither be kept nor read. */
const maxForecastPoints = 100_000
const tooManySeries = `A run forecasts at most ${maxForecastPoints} points: ask for fewer groups or a shorter horizon`

/** What reading a source came to: the series, and the rows that could not be used. */
export interface Collected {
  series: InputSeries[]
  /** Rows whose value is not a number or whose time is missing. */
  unusable: number
}

/**
 * Reads the rows of a data source, as the caller, page by page, and sorts them into one series a group.
 * @throws JobFailure where there are none, or too many
 */
export async function collectSeries(
  { internal, config: { FORECAST_MAX_ROWS: maxRows } }: Pick<Context, 'internal' | 'config'>,
  caller: Caller,
  { asked, series = [] }: RunInput,
  signal: AbortSignal,
): Promise<Collected> {
  const { data_source_id: source, timestamp_field: timeField, value_field: valueField, group_by: groupBy = [] } = asked
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
    if (rows > maxRows) throw failure('too_many_rows', `A run works on at most ${maxRows} rows of a data source`)
    if (groups.size * asked.horizon > maxForecastPoints) throw failure('too_many_series', tooManySeries)
    after = page.after
  }
  const found = [...groups.values()]
  if (!found.some(({ points }) => points.some(({ value }) => value !== null)))
    throw failure('no_data', `The data source has no row with a time in "${timeField}" and a number in "${valueField}"`)
  return { series: found, unusable }
}

function pointOf(ts: unknown, value: unknown): InputPoint | undefined {
  const at = typeof ts === 'string' ? ts.trim() : ''
  const measured = numberOf(value)
  return at === '' || measured === undefined ? undefined : { ts: at, value: measured }
}

/** Null for nothing, which is a gap; undefined for what is no number. */
function numberOf(value: unknown): number | null | undefined {
  if (value === null) return null
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  // Number('') is zero.
  if (typeof value === 'string' && value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function seriesOf(
  groups: Map<string, InputSeries>,
  groupBy: readonly string[],
  values: readonly unknown[],
): InputSeries {
  const words = values.map((value) => (value === null || value === undefined ? '' : String(value)))
  const name = JSON.stringify(words)
  const found = groups.get(name)
  if (found !== undefined) return found
  const made = { key: Object.fromEntries(groupBy.map((field, index) => [field, words[index] ?? ''])), points: [] }
  groups.set(name, made)
  return made
}
