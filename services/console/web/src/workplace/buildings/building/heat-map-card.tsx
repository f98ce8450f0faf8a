import type { UseQueryResult } from '@tanstack/react-query'
import { HeatMap, type HeatMapCell, heatMapHeight } from '../../../ui/chart/heat-map.tsx'
import { formatPercent } from '../../../ui/format/format.ts'
import { Stack } from '../../../ui/page/page.tsx'
import { QueryCard } from '../query-card.tsx'
import {
  formatHour,
  formatPeople,
  type UtilizationPage,
  type UtilizationRow,
  type Weekday,
  weekdayName,
  weekdays,
} from '../space-words.ts'
import { Gaps } from './gaps.tsx'

/** How full a space is, by weekday and hour. */
export const HeatMapCard = ({ query }: { query: UseQueryResult<UtilizationPage> }) => (
  <QueryCard
    title="When it is full"
    description="People there on average, by weekday and hour."
    query={query}
    height={heatMapHeight(weekdays.length)}
  >
    {(page) => (page.items.length === 0 ? <p>{noTimes}</p> : <Hours page={page} />)}
  </QueryCard>
)

const noTimes =
  'The figures of this period have no times of day. Badge events, people counters and bookings have them; lists of days do not.'

function Hours({ page }: { page: UtilizationPage }) {
  const { rows, columns, highest } = hourGrid(page.items)
  const capacity = page.items[0]?.capacity ?? null
  const hasWithheld = rows.some(({ cells }) => cells.some(({ state }) => state === 'withheld'))
  return (
    <Stack>
      <HeatMap
        title="People by weekday and hour"
        rows={rows}
        columns={columns}
        highest={highest}
        scale={[
          '0',
          capacity === null || capacity === 0
            ? `${formatPeople(highest)} people`
            : `${formatPeople(highest)} people, ${formatPercent(highest / capacity)} of the places`,
        ]}
      />
      {hasWithheld && (
        <p>
          Hatched hours are withheld: so few people were there on most of these days that a figure could tell of one of
          them.
        </p>
      )}
      <Gaps page={page} />
    </Stack>
  )
}

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
  if (row === undefined) return { value: null, text: 'not measured', state: 'closed' }
  if (row.average === null)
    return row.suppressed
      ? { value: null, text: 'withheld', state: 'withheld' }
      : { value: null, text: 'not measured', state: 'closed' }
  if (!row.open && row.average === 0) return { value: null, text: 'closed', state: 'closed' }
  const share = row.share === null ? '' : `, ${formatPercent(row.share)} of the places`
  return { value: row.average, text: `${formatPeople(row.average)} people${share}, at most ${formatPeople(row.peak)}` }
}
