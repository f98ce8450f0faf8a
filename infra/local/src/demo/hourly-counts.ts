import type { ColumnNames, Table } from './csv.ts'

/** The count of each hour, by hour number. */
export type HourlyCounts = ReadonlyMap<number, number>

/**
 * Converts a timestamp to the number of hours since 1970-01-01T00:00 in local time, so that the same local hour has the
 * same number in every time zone. Returns undefined if the text is not a timestamp.
 */
export type HourReader = (timestamp: string) => number | undefined

const hourMs = 3_600_000
const pattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Creates a reader for a time zone. A timestamp without an offset is already in local time. */
export function createHourReader(timezone: string): HourReader {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, hourCycle: 'h23', ...numeric })
  const wallClock = (instant: number) => {
    const { year, month, day, hour } = Object.fromEntries(
      format.formatToParts(instant).map(({ type, value }) => [type, value]),
    )
    return Date.parse(`${year}-${month}-${day}T${hour}:00Z`)
  }
  return (timestamp) => {
    const [, date, time = '00:00', offset] = pattern.exec(timestamp.trim()) ?? []
    if (date === undefined) return undefined
    const instant = Date.parse(`${date}T${time}${offset?.replace(/(\d\d)(\d\d)$/, '$1:$2') ?? 'Z'}`)
    if (Number.isNaN(instant)) return undefined
    return Math.floor((offset === undefined ? instant : wallClock(instant)) / hourMs)
  }
}

const numeric = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const

/** Sums a table's values by group and hour. Invalid rows are skipped, as in the forecast. */
export function sumByHour(table: Table, columns: ColumnNames, hourOf: HourReader): Map<string, Map<number, number>> {
  const cellOf = (name: string | undefined) => {
    const index = name === undefined ? -1 : table.columns.indexOf(name)
    return (row: string[]) => row[index] ?? ''
  }
  const [timestamp, value, group] = [cellOf(columns.timestamp), cellOf(columns.value), cellOf(columns.group)]
  const groups = new Map<string, Map<number, number>>()
  for (const row of table.rows) {
    const hour = hourOf(timestamp(row))
    const count = Number(value(row) || Number.NaN)
    if (hour === undefined || !Number.isFinite(count)) continue
    const hours = groups.get(group(row)) ?? new Map<number, number>()
    groups.set(group(row), hours.set(hour, (hours.get(hour) ?? 0) + count))
  }
  return groups
}
