import { type Caller, dataInternal, problem } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import type { InputSeries } from '../forecast/index.ts'
import type { RunInput } from './run-input.ts'

/** What reading a source came to: the series, and the rows that could not be used. */
export interface Collected {
  series: InputSeries[]
  /** Rows whose value is not a number or whose time is missing. */
  unusable: number
}

/** Most points one run works on; beyond it the run is refused rather than served badly. */
const maxPoints = 5_000_000

/** Reads the rows of a data source, as the caller, page by page, and sorts them into one series a group. */
export async function collectSeries(
  internal: InternalCalls,
  caller: Caller,
  input: RunInput,
  signal: AbortSignal,
): Promise<Collected> {
  const { data_source_id: source, timestamp_field: timeField, value_field: valueField, group_by: groupBy = [] } = input
  if (source === undefined || timeField === undefined || valueField === undefined)
    return { series: input.series ?? [], unusable: 0 }
  const groups = new Map<string, InputSeries>()
  const fields = [timeField, valueField, ...groupBy].map(encodeURIComponent).join(',')
  let unusable = 0
  let points = 0
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
    points += page.rows.length
    if (points > maxPoints) throw problem('validation_failed', { detail: `A run works on at most ${maxPoints} rows` })
    after = page.after
  }
  return { series: [...groups.values()], unusable }
}

function pointOf(ts: unknown, value: unknown): { ts: string; value: number | null } | undefined {
  const at = typeof ts === 'string' && ts.trim() !== '' ? ts.trim() : undefined
  const measured = value === null || value === '' ? null : Number(value)
  if (at === undefined || typeof value === 'boolean' || (measured !== null && !Number.isFinite(measured)))
    return undefined
  return { ts: at, value: measured }
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
