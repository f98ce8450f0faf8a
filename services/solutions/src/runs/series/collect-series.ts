import { type Caller, dataInternal, valueFieldKey } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { failure } from '../../failure.ts'
import type { InputSeries, Measure } from '../../forecast/index.ts'
import { fieldListOf } from '../input/check-columns.ts'
import { minUsableShareOf, type RunInput, timeColumnsOf, valueColumnsOf } from '../input/run-input.ts'
import { describeSeveralPlaces } from './describe-several-places.ts'
import { requireUsableRows } from './require-usable-rows.ts'
import { type RowColumns, SeriesRows } from './series-rows.ts'
import type { UnusableRows } from './unusable-rows.ts'

/** Limits the size of a result. */
const maxForecastPoints = 100_000
const tooManySeries = `A run forecasts at most ${maxForecastPoints} points: ask for fewer groups or a shorter horizon`

/** A series, and the rows that it does not contain. */
export interface CollectedSeries extends InputSeries {
  unusable: UnusableRows | null
  warnings: string[]
  /** True of a source of which only aggregates are shown. */
  isRestricted?: boolean
}

/**
 * Returns inline series as they are. Reads the rows of a data source as the caller, page by page, and divides them into
 * one series per group and column of values.
 * @throws JobFailure if there are none, too many, or too few that can be used
 */
export async function collectSeries(
  { internal, config: { FORECAST_MAX_ROWS: maxRows } }: Pick<Context, 'internal' | 'config'>,
  caller: Caller,
  { parameters, series = [] }: RunInput,
  signal: AbortSignal,
): Promise<CollectedSeries[]> {
  const { data_source_id: source, timestamp_format: format } = parameters
  if (source === undefined) return series.map((inline) => ({ ...inline, unusable: null, warnings: [] }))
  const columns = columnsOf(parameters)
  const rows = new SeriesRows(columns)
  const fields = fieldListOf(parameters)
  const valuesPerRow = Math.max(1, columns.values.length)
  let [values, refused] = [0, 0]
  let isRestricted = false
  for (let after: string | null | undefined; after !== null; ) {
    signal.throwIfAborted()
    const query = { fields, ...(after === undefined ? {} : { after }) }
    const page = await internal.callForCaller(caller, 'data:read', dataInternal.readRows, {
      params: { data_source_id: source },
      query,
      body: undefined,
    })
    if (page.is_restricted === true) {
      rows.hideCells()
      isRestricted = true
    }
    for (const cells of page.rows) rows.add(cells)
    values += page.rows.length * valuesPerRow
    if (values > maxRows) throw failure('too_many_rows', tooManyRows(maxRows, valuesPerRow))
    if (rows.seriesCount * parameters.horizon > maxForecastPoints) throw failure('too_many_series', tooManySeries)
    refused = page.refused_rows ?? 0
    after = page.after
  }
  const { groups, warnings } = rows.finish(refused)
  requireUsableRows(groups, columns, { minShare: minUsableShareOf(parameters), refused })
  for (const { points } of parameters.aggregation === 'max' ? groups : []) {
    const fault = describeSeveralPlaces(points)
    if (fault !== null) throw failure('several_places', fault)
  }
  return groups.map(({ key, points, unusable }) => {
    const measure = parameters.measure ?? measureOfName(key[valueFieldKey] ?? columns.values[0] ?? '')
    return {
      key,
      points,
      unusable,
      unusableRows: unusable.count,
      ...(measure === undefined ? {} : { measure }),
      ...(refused === 0 ? {} : { mayLackRows: true }),
      ...(isRestricted ? { isRestricted } : {}),
      warnings: [...unusable.warnings(format), ...warnings],
    }
  })
}

const tooManyRows = (maxRows: number, valuesPerRow: number): string =>
  valuesPerRow === 1
    ? `A run can use at most ${maxRows} rows of a data source`
    : `A run can use at most ${maxRows} rows of a data source, and ${Math.floor(maxRows / valuesPerRow)} with ${valuesPerRow} columns of values`

function columnsOf(parameters: RunInput['parameters']): RowColumns {
  return {
    times: timeColumnsOf(parameters),
    values: valueColumnsOf(parameters),
    groups: parameters.group_by ?? [],
    isWide: typeof parameters.value_field === 'object',
    isCount: parameters.aggregation === 'count',
    format: parameters.timestamp_format,
  }
}

/** Words for what is there at a moment. */
const levelWords =
  /occupan|\bpresent\b|\bpresence\b|utili[sz]ation|\binside\b|\bheadcount\b|\btemperature\b|\bhumidity\b|\bco2\b|belegung|anwesend|auslastung|\btaux\b|présent|ocupaci/u
/** Words for what happened in an interval. */
const flowWords =
  /arriv|departure|\bentr(?:y|ies|ance|ances)\b|\bexits?\b|\bin count\b|\bout count\b|swipe|consumption|verbrauch|\bkwh\b|\bvisits?\b|check ?ins?\b|zugänge|eintritte|ankünfte|entrées/u

/** Returns the kind of values that the name of a column states; undefined if it states none, or both. */
export function measureOfName(name: string): Measure | undefined {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const [isLevel, isFlow] = [levelWords.test(words), flowWords.test(words)]
  if (isLevel === isFlow) return undefined
  return isLevel ? 'level' : 'flow'
}
