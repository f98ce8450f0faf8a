import type { ColumnNames, Table } from './csv.ts'
import type { HourlyCounts, HourReader } from './hourly-counts.ts'

/** The WAPE of two forecasts over the same hours: the sum of absolute errors divided by the sum of actual values. */
export interface ForecastScore {
  /** The number of hours compared. */
  hours: number
  forecast: number
  /** The WAPE of the weekly naive forecast, which is the same hour one week earlier. */
  naive: number
}

const weekHours = 168

/** Returns the table without the rows of its last 168 hours. */
export function withoutLastWeek(table: Table, columns: ColumnNames, hourOf: HourReader): Table {
  const index = table.columns.indexOf(columns.timestamp)
  const hours = table.rows.map((row) => hourOf(row[index] ?? ''))
  const last = hours.reduce<number>((latest, hour) => Math.max(latest, hour ?? latest), Number.NEGATIVE_INFINITY)
  return { columns: table.columns, rows: table.rows.filter((_, row) => (hours[row] ?? last) <= last - weekHours) }
}

/**
 * Compares a forecast with the actual counts. Uses the hours that have a count, a forecast and a count one week
 * earlier. Excludes the hour that is repeated when daylight saving time ends, because its counts cannot be separated.
 */
export function scoreForecast(
  counted: HourlyCounts,
  forecast: readonly { ts: string; mean: number }[],
  hourOf: HourReader,
): ForecastScore | undefined {
  const predicted = new Map<number, number[]>()
  for (const { ts, mean } of forecast) {
    const hour = hourOf(ts)
    if (hour !== undefined) predicted.set(hour, [...(predicted.get(hour) ?? []), mean])
  }
  const sums = { hours: 0, came: 0, forecast: 0, naive: 0 }
  for (const [hour, [mean, repeated]] of predicted) {
    const came = counted.get(hour)
    const before = counted.get(hour - weekHours)
    if (mean === undefined || repeated !== undefined || came === undefined || before === undefined) continue
    sums.hours += 1
    sums.came += Math.abs(came)
    sums.forecast += Math.abs(came - mean)
    sums.naive += Math.abs(came - before)
  }
  if (sums.came === 0) return undefined
  return { hours: sums.hours, forecast: sums.forecast / sums.came, naive: sums.naive / sums.came }
}
