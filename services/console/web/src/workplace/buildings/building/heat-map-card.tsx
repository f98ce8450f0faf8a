import type { UseQueryResult } from '@tanstack/react-query'
import { HeatMap, heatMapHeight } from '../../../ui/chart/heat-map.tsx'
import { formatPercent } from '../../../ui/format/format.ts'
import { Stack } from '../../../ui/page/page.tsx'
import { QueryCard } from '../query-card.tsx'
import { formatPeople, type UtilizationPage, weekdays } from '../space-words.ts'
import { Gaps } from './gaps.tsx'
import { hourGrid } from './hour-grid.ts'

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
