import type { HeatMapCell } from '../../../ui/chart/heat-map.tsx'
import { formatPercent } from '../../../ui/format/format.ts'
import { formatHour, formatPeople, type UtilizationRow, type Weekday, weekdayName, weekdays } from '../space-words.ts'

/** Arranges rows by weekday and hour, without hours before and after which nothing happens on any day. */
export function hourGrid(items: readonly UtilizationRow[]) {
  const cells = new Map(items.map((row) => [`${row.weekday} ${row.hour}`, row]))
  const busy = items.flatMap(({ hour, open, average }) => (hour !== undefined && (open || average) ? [hour] : []))
  const [first, last] = [Math.min(...busy, 23), Math.max(...busy, 0)]
  const hours = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  const shownDays = weekdays.filter((weekday) => cells.has(`${weekday} 0`))
  return {
    columns: hours.map(formatHour),
    rows: shownDays.map((weekday) => ({
      label: weekdayName(weekday),
      short: shortName(weekday),
      cells: hours.map((hour) => cellOf(cells.get(`${weekday} ${hour}`))),
    })),
    highest: Math.max(0, ...items.map(({ average }) => average ?? 0)),
  }
}

const shortName = (weekday: Weekday): string => weekdayName(weekday).slice(0, 3)

function cellOf(row: UtilizationRow | undefined): HeatMapCell {
  if (row === undefined) return { value: null, text: 'not measured', figure: '–', state: 'closed' }
  if (row.average === null)
    return row.suppressed
      ? { value: null, text: 'withheld, as it could tell of single people', figure: 'withheld', state: 'withheld' }
      : { value: null, text: 'not measured', figure: '–', state: 'closed' }
  if (!row.open && row.average === 0) return { value: null, text: 'closed', figure: 'closed', state: 'closed' }
  const share = row.share === null ? '' : `, ${formatPercent(row.share)} of the places`
  const figure = formatPeople(row.average)
  return { value: row.average, figure, text: `${figure} people${share}, at most ${formatPeople(row.peak)}` }
}
