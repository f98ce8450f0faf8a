import type { ForecastSeries } from '../forecast/index.ts'
import { csvFor } from './reader-text.ts'

type SeriesPoints = Pick<ForecastSeries, 'key' | 'points'>

const encoder = new TextEncoder()
/** Points per chunk. */
const chunkPoints = 500

/** Yields one row for each point, after a row with the names of the columns. @param locale of the reader, if known */
export function* forecastCsv(series: readonly SeriesPoints[], locale?: string): Generator<Uint8Array> {
  const { mark, row } = csvFor(locale)
  const fields = [...new Set(series.flatMap(({ key }) => Object.keys(key)))]
  const hasRemainders = series.some(({ points: [first] }) => first !== undefined && 'remainder' in first)
  const columns = ['ts', 'mean', ...boundsOf(series), ...(hasRemainders ? ['remainder'] : [])]
  const names = fields.map((field) => (columns.includes(field) ? `key_${field}` : field))
  yield encoder.encode(mark + row([...names, ...columns]))
  for (const { key, points } of series) {
    const keyCells = fields.map((field) => key[field] ?? null)
    for (let from = 0; from < points.length; from += chunkPoints) {
      const rows = points.slice(from, from + chunkPoints).map((point) => {
        const values: Record<string, string | number> = point
        return row([...keyCells, ...columns.map((column) => values[column] ?? null)])
      })
      yield encoder.encode(rows.join(''))
    }
  }
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
