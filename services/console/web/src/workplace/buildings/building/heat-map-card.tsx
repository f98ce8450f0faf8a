import type { UseQueryResult } from '@tanstack/react-query'
import { useCan } from '../../../session/workspace-context.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { HeatMap, heatMapHeight } from '../../../ui/chart/heat-map.tsx'
import { formatPercent } from '../../../ui/format/format.ts'
import { useClockTime, useSentence } from '../../../ui/format/format-time.ts'
import { Callout, EmptyState } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import { QueryCard } from '../query-card.tsx'
import { describeGaps, formatPeople, type UtilizationPage, weekdays } from '../space-words.ts'
import { hourGrid } from './hour-grid.ts'

/** The heat map of a space: people by weekday and hour. */
export const HeatMapCard = ({
  query,
  isMeasured,
}: {
  query: UseQueryResult<UtilizationPage>
  /** False if no day has figures; without hours if the query has none. */
  isMeasured: boolean
}) => (
  <QueryCard
    title="When it is full"
    description="People there on average, by weekday and hour."
    query={query}
    height={heatMapHeight(weekdays.length)}
  >
    {(page) =>
      page.items.length > 0 ? (
        <Hours page={page} />
      ) : (
        <div style={{ minHeight: heatMapHeight(weekdays.length), alignContent: 'center' }}>
          <Unmeasured isMeasured={isMeasured} />
        </div>
      )
    }
  </QueryCard>
)

function Unmeasured({ isMeasured }: { isMeasured: boolean }) {
  return (
    <EmptyState
      icon="building"
      title={isMeasured ? 'No times of day are known' : 'Nothing has been measured here yet'}
      actions={
        useCan()('data:write') && (
          <ButtonLink variant="primary" to="/$workspaceId/data/new">
            Add your data
          </ButtonLink>
        )
      }
    >
      {isMeasured
        ? 'The figures of this period count days. A file of badge events, people counters or bookings has times of day.'
        : 'A file of badge events, people counters or bookings that name this place tells when it is full.'}
    </EmptyState>
  )
}

function Hours({ page }: { page: UtilizationPage }) {
  const { rows, columns, highest } = hourGrid(page.items)
  const clock = useClockTime()
  const capacity = page.items[0]?.capacity ?? null
  const hasWithheld = rows.some(({ cells }) => cells.some(({ state }) => state === 'withheld'))
  return (
    <Stack>
      <HeatMap
        title="People by weekday and hour"
        rows={rows}
        columns={columns.map((hour) => clock(hour).replace(':00 ', ' '))}
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
          Hatched hours are withheld, also of many people: together with figures of teams, floors or rooms, they could
          tell of single people.
        </p>
      )}
      <Gaps page={page} />
    </Stack>
  )
}

const maxGaps = 4

/** Says in words what the figures of a page leave out. */
function Gaps({ page }: { page: UtilizationPage }) {
  const gaps = describeGaps(page)
  const sentence = useSentence()
  if (gaps.length === 0) return null
  const more = gaps.length - maxGaps
  return (
    <Callout tone="warning">
      {gaps.slice(0, maxGaps).map((gap) => (
        <p key={gap}>{sentence(gap)}</p>
      ))}
      {more > 0 && <p>{`And ${more} more of this kind.`}</p>}
    </Callout>
  )
}
