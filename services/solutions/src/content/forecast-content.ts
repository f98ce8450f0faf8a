import type { ForecastInput, ForecastSeries } from '../forecast/index.ts'
import { fileName } from './file-name.ts'
import { csvFor } from './reader-text.ts'

type SeriesPoints = Pick<ForecastSeries, 'key' | 'points'>

const encoder = new TextEncoder()
/** Points per chunk. */
const chunkPoints = 500

/** A person who opens a file, in the time zone and by the steps of its run. */
export type Reader = Pick<ForecastInput, 'timezone' | 'frequency'> & { locale: string }

/** Returns a function that writes a time as spreadsheets read it, in the time zone of the run: a day as its date. */
function localTimes({ timezone, frequency }: Reader): (ts: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    ...(frequency === 'hour' && { timeStyle: 'short' }),
  })
  return (ts) => format.format(Date.parse(ts))
}

/** Yields one row for each point, after a row with the names of the columns, which are words for a reader. */
export function* forecastCsv(series: readonly SeriesPoints[], reader?: Reader): Generator<Uint8Array> {
  const { mark, row } = csvFor(reader?.locale)
  const timeOf = reader === undefined ? (ts: string) => ts : localTimes(reader)
  const fields = [...new Set(series.flatMap(({ key }) => Object.keys(key)))]
  const hasRemainders = series.some(({ points: [first] }) => first !== undefined && 'remainder' in first)
  const columns = ['ts', 'mean', ...boundsOf(series), ...(hasRemainders ? ['remainder'] : [])]
  const headings = reader === undefined ? columns : columns.map(headingOf)
  const names = fields.map((field) => (headings.includes(field) ? `key_${field}` : field))
  yield encoder.encode(mark + row([...names, ...headings]))
  for (const { key, points } of series) {
    const keyCells = fields.map((field) => key[field] ?? null)
    for (let from = 0; from < points.length; from += chunkPoints) {
      const rows = points.slice(from, from + chunkPoints).map((point) => {
        const values: Record<string, string | number> = { ...point, ts: timeOf(point.ts) }
        return row([...keyCells, ...columns.map((column) => values[column] ?? null)])
      })
      yield encoder.encode(rows.join(''))
    }
  }
}

/** Returns the words for a column: `expected`, `from (80 %)`. */
function headingOf(column: string): string {
  const [, bound, level] = /^(lower|upper)_(\d+)$/.exec(column) ?? []
  if (bound !== undefined) return `${bound === 'lower' ? 'from' : 'to'} (${level} %)`
  return { ts: 'time', mean: 'expected', remainder: 'expected elsewhere in it' }[column] ?? column
}

/**
 * Returns the name of the file of a run: `Forecast of Munich – 2026-11-28.csv`, with its first day, and with the space
 * or team that all others are in, if there is one.
 */
export function forecastName(series: readonly SeriesPoints[], reader: Reader, extension: string): string {
  const [outer] = series
  const name = outer?.key.name
  const isOfAll = series.every(({ key }) => key.name === name || key.name?.startsWith(`${name} / `))
  const [start] = outer?.points ?? []
  const date = start === undefined ? '' : localTimes({ ...reader, frequency: 'day' })(start.ts)
  return fileName(name === undefined || !isOfAll ? 'Forecast' : `Forecast of ${name}`, date, extension)
}

/**
 * Returns the names of the bounds from the narrowest to the widest level. A stored result has its fields in any order.
 */
function boundsOf(series: readonly SeriesPoints[]): string[] {
  const first = series.find(({ points }) => points.length > 0)?.points[0] ?? {}
  const levels = Object.keys(first).flatMap((name) => /^lower_(\d+)$/.exec(name)?.[1] ?? [])
  return levels.toSorted((a, b) => Number(a) - Number(b)).flatMap((level) => [`lower_${level}`, `upper_${level}`])
}

/** Yields a JSON array of the keys and points of the series. */
export function* forecastJson(series: readonly SeriesPoints[]): Generator<Uint8Array> {
  for (const [index, { key, points }] of series.entries())
    yield encoder.encode(`${index === 0 ? '[' : ',\n'}${JSON.stringify({ key, points })}`)
  yield encoder.encode(series.length === 0 ? '[]\n' : ']\n')
}
