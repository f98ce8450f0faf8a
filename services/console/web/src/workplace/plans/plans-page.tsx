import { getRouteApi } from '@tanstack/react-router'
import type { Client } from '@wp/client/browser'
import { useState } from 'react'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { useSentence, useWordFormat } from '../../ui/format/format-time.ts'
import { EmptyState, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page, Stack } from '../../ui/page/page.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { useWorkplace } from '../scenarios/use-workplace.ts'
import type { Workplace } from '../scenarios/workplace.ts'
import type { PlanDetail, PlanSchedule } from './plan-words.ts'
import { ScheduleCard } from './schedule-card.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'

const route = getRouteApi('/$workspaceId/plans')
const [pageSize, maxSchedules, readAtOnce] = [15, 100, 8]

/** Reads all schedules with their newest plans before any is shown: one that came later would move the others. */
async function readOverview({ solutions }: Client, options: { signal: AbortSignal }) {
  const { items: schedules } = await solutions.listPlanSchedules({ query: { limit: maxSchedules } }, options)
  const plans = new Map<string, PlanDetail>()
  const readNewest = async ({ space_id: space }: PlanSchedule) => {
    const { items } = await solutions.listPlans({ query: { space_id: space, limit: 1 } }, options)
    const [newest] = items
    if (newest !== undefined) plans.set(space, await solutions.getPlan({ params: { id: newest.id } }, options))
  }
  for (let from = 0; from < schedules.length; from += readAtOnce)
    await Promise.all(schedules.slice(from, from + readAtOnce).map(readNewest))
  return { schedules, plans }
}

/** The subject of the open dialog: a new schedule, or that of an id. */
type Editing = { id: string | undefined } | undefined

/** The plans of the day of each building that is planned, and earlier ones. */
export function PlansPage() {
  const { space, scenario } = route.useSearch()
  const navigate = route.useNavigate()
  const can = useCan()
  const workplace = useWorkplace()
  const { data, error, refetch } = useApiQuery(['plans', 'overview'], readOverview)
  const [editing, setEditing] = useState<Editing>()
  const schedules = data?.schedules
  // A link from a scenario opens the schedule of its building, or a new one.
  const linked = scenario === undefined ? undefined : { id: schedules?.find(({ space_id: id }) => id === space)?.id }
  const open = editing ?? (schedules === undefined || !can('solutions:write') ? undefined : linked)
  const close = () => {
    setEditing(undefined)
    if (scenario !== undefined) void navigate({ search: {}, replace: true })
  }
  const isEmpty = schedules?.length === 0
  // Offered while the buildings are being read: a button that came later would move the page.
  const canPlan = can('solutions:write') && workplace.data?.buildings.length !== 0
  return (
    <Page
      title="Daily plans"
      description="Who is expected on which floor today, and what to order, clean, heat and keep closed."
      actions={
        canPlan && (
          <Button icon="plus" variant="primary" onClick={() => setEditing({ id: undefined })}>
            Plan a building
          </Button>
        )
      }
    >
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {!error && schedules === undefined && <Skeleton height="24rem" />}
      {isEmpty && <Empty workplace={workplace.data} canPlan={canPlan} onStart={() => setEditing({ id: undefined })} />}
      {schedules !== undefined && !isEmpty && (
        <Stack>
          {schedules.map((schedule) => (
            <ScheduleCard
              key={schedule.id}
              schedule={schedule}
              plan={data?.plans.get(schedule.space_id)}
              onEdit={() => setEditing({ id: schedule.id })}
            />
          ))}
        </Stack>
      )}
      {schedules !== undefined && <EarlierPlans schedules={schedules} />}
      {open !== undefined && workplace.data !== undefined && (
        <ScheduleDialog
          key={open.id}
          schedule={schedules?.find(({ id }) => id === open.id)}
          scenarioId={scenario}
          spaceId={space}
          workplace={workplace.data}
          onClose={close}
        />
      )}
    </Page>
  )
}

function Empty({
  workplace,
  canPlan,
  onStart,
}: {
  workplace: Workplace | undefined
  canPlan: boolean
  onStart: () => void
}) {
  const hasBuildings = workplace === undefined || workplace.buildings.length > 0
  return (
    <Card>
      <EmptyState
        icon="calendar"
        title="No daily plans yet"
        actions={
          canPlan ? (
            <Button variant="primary" onClick={onStart}>
              Plan a building every day
            </Button>
          ) : (
            !hasBuildings && <ButtonLink to="/$workspaceId/buildings">Open buildings</ButtonLink>
          )
        }
      >
        {hasBuildings
          ? 'Every morning a plan says how many people are expected on which floor, what to order, clean and heat, and how the plan before did.'
          : 'A plan is made for a building with floors: add one first.'}
      </EmptyState>
    </Card>
  )
}

/** The plans that were made, newest first, of all buildings or one. */
function EarlierPlans({ schedules }: { schedules: readonly PlanSchedule[] }) {
  const { cursor, space, scenario } = route.useSearch()
  const formatDay = useWordFormat('longDay', 'UTC')
  const sentence = useSentence()
  const { data, error, refetch } = useApiQuery(['plans', 'list', cursor, space], (api, options) =>
    api.solutions.listPlans({ query: { limit: pageSize, cursor, space_id: space } }, options),
  )
  // A link from a scenario names the building that is planned, and no filter.
  const isFiltered = cursor !== undefined || (space !== undefined && scenario === undefined)
  if (data?.items.length === 0 && !isFiltered) return null
  return (
    <Card title="Plans so far" isFlush>
      {schedules.length > 1 && (
        <ListFilters
          filters={[
            {
              name: 'space',
              label: 'Building',
              options: schedules.map(({ space_id: value, name: label }) => ({ value, label })),
            },
          ]}
        />
      )}
      <PagedTable
        label="Plans so far"
        columns={[
          { header: 'Day', cell: ({ date }) => formatDay(date) },
          { header: 'Building', cell: ({ space_name: name }) => name },
          { header: 'In short', cell: ({ headline }) => sentence(headline) },
        ]}
        page={{ data, error, refetch }}
        noun="plans"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/$workspaceId/plans/$planId', params: { planId: id } })}
        empty={
          <EmptyState icon="filter" title="No plans of this building yet">
            Choose another building.
          </EmptyState>
        }
      />
    </Card>
  )
}
