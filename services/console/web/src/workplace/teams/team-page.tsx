import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { FloorStack } from '../../ui/chart/floor-stack.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Columns, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { Stat, Stats } from '../../ui/values/values.tsx'
import styles from '../buildings/building/building.module.css'
import { periods, useUtilization } from '../buildings/queries.ts'
import { QueryCard } from '../buildings/query-card.tsx'
import { formatPeople, weekdayName } from '../buildings/space-words.ts'
import { useTeams } from '../buildings/team-figures/names.ts'
import {
  describeTeam,
  isWithheld,
  shareText,
  sharingText,
  type Team,
  withheldText,
} from '../buildings/team-figures/team-words.ts'
import { ConditionsCard } from './conditions-card.tsx'
import { TeamDrawer } from './team-form.tsx'

const route = getRouteApi('/$workspaceId/teams/$teamId')

/** A team: how often it is in, and where it may sit. */
export function TeamPage() {
  const { teamId } = route.useParams()
  const { data, error, refetch } = useApiQuery(['teams', teamId], (api, options) =>
    api.solutions.getTeam({ params: { id: teamId } }, options),
  )
  const parent = { label: 'Teams', link: { to: '/$workspaceId/teams', search: {} } } as const
  if (data === undefined)
    return <UnloadedPage title="Team" parent={parent} error={error} refetch={refetch} height="40rem" />
  return <LoadedPage key={data.id} team={data} parent={parent} />
}

function LoadedPage({ team, parent }: { team: Team; parent: NonNullable<Parameters<typeof Page>[0]['parent']> }) {
  const formatDay = useWordFormat('shortWeekday', 'UTC')
  const { weeks = '4' } = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useCan()('solutions:write')
  const subject = { team_id: team.id }
  const range = useUtilization(subject, 'range', weeks)
  const weekdays = useUtilization(subject, 'weekday', weeks)
  const days = useUtilization(subject, 'day', weeks)
  const all = range.data?.items[0]
  const parents = useTeams(team.parent_id ? [team.parent_id] : [])
  return (
    <Page
      title={team.name}
      parent={parent}
      actions={
        <>
          {canWrite && team.home_space_id && (
            <ButtonLink variant="primary" to="/$workspaceId/scenarios/new" search={{ space: team.home_space_id }}>
              Try a scenario
            </ButtonLink>
          )}
          <TeamActions team={team} />
        </>
      }
    >
      <div className={styles.toolbar}>
        <Segmented
          label="Period"
          value={weeks}
          options={periods.map((value) => ({ value, label: value === '52' ? 'A year' : `${value} weeks` }))}
          onChange={(value) => void navigate({ search: { weeks: value }, replace: true })}
        />
      </div>
      <QueryCard query={range} height={overviewHeight}>
        {({ items, meta }) => (
          <Stack>
            <p className={styles.sentence}>
              {weekdays.data && describeTeam(weekdays.data.items, items[0], meta.privacy_threshold)}
            </p>
            {all !== undefined && !isWithheld(all) && (
              <Stats>
                <Stat label="People" value={all.headcount === null ? '–' : formatPeople(Math.round(all.headcount))} />
                <Stat label="In on average" value={formatPeople(all.attendance)} note={shareText(all.share)} />
                <Stat label="People sharing" value={sharingText(all.sharing_ratio)} note="on nine days in ten" />
                <Stat label="Meet each other" value={shareText(all.co_attendance)} note="of the team, on a day in" />
              </Stats>
            )}
          </Stack>
        )}
      </QueryCard>
      <Columns>
        <QueryCard
          title="By weekday"
          description="People in on average, and on the busiest days."
          query={weekdays}
          height="17rem"
        >
          {({ items, meta }) =>
            items.length === 0 ? (
              <p>Nothing was measured in this period.</p>
            ) : (
              <FloorStack
                title="By weekday"
                subject="Weekday"
                labels={{ average: 'In', peak: 'Busy days', capacity: 'People' }}
                rows={items
                  .filter(({ attendance, suppressed }) => attendance || suppressed)
                  .map((row) => ({
                    key: row.weekday ?? '',
                    name: row.weekday ? weekdayName(row.weekday) : '',
                    capacity: row.headcount,
                    average: row.attendance,
                    peak: row.p90,
                    ...(row.attendance === null && { note: withheldText(row, meta.privacy_threshold) }),
                  }))}
                format={formatPeople}
              />
            )
          }
        </QueryCard>
        <ConditionsCard team={team} />
      </Columns>
      <QueryCard title="Day by day" query={days} height="17rem">
        {({ items }) =>
          items.every(({ attendance }) => attendance === null) ? (
            <p>{items.length === 0 ? 'Nothing was measured in this period.' : 'Too few to show.'}</p>
          ) : (
            <Chart
              title={`People of ${team.name} by day`}
              times={items.map(({ start = '' }) => Date.parse(`${start}T00:00:00Z`))}
              timeZone="UTC"
              height={220}
              formatValue={formatPeople}
              formatTime={formatDay}
              series={[
                { label: 'People in', values: items.map(({ attendance }) => attendance), colour: 4, kind: 'bars' },
                {
                  label: 'People of the team',
                  values: items.map(({ headcount }) => headcount),
                  colour: 6,
                  kind: 'dashed',
                },
              ]}
            />
          )
        }
      </QueryCard>
      {team.parent_id && (
        <p>
          This team is part of{' '}
          <Link to="/$workspaceId/teams/$teamId" params={{ teamId: team.parent_id }} search={{ weeks }}>
            {parents.get(team.parent_id) ?? 'a larger one'}
          </Link>
          , which counts its people too.
        </p>
      )}
    </Page>
  )
}

/** On a narrow screen, the figures are in two rows, and the sentence has more lines. */
const overviewHeight =
  'clamp(10.8rem, max(calc((40rem - 100vw) * 1000), min(13.1rem, (54rem - 100vw) * 1000)), 21.5rem)'

/** The menu of a team: edit, delete. Nothing for those who may not. */
function TeamActions({ team }: { team: Team }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = route.useNavigate()
  if (!useCan()('solutions:write')) return null
  const remove = async () => {
    await api.solutions.deleteTeam({ params: { id: team.id } })
    showSuccess(`Deleted ${team.name}`)
    await navigate({ to: '/$workspaceId/teams', params: { workspaceId }, search: {} })
    await Promise.all([refresh('teams'), refresh('utilization')])
  }
  return (
    <>
      <ActionMenu
        label={`Actions of ${team.name}`}
        entries={[
          { label: 'Edit', icon: 'pencil', onSelect: () => setOpen('edit') },
          { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setOpen('delete') },
        ]}
      />
      <TeamDrawer isOpen={open === 'edit'} team={team} onDone={() => setOpen(undefined)} />
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={`Delete ${team.name}`}
        confirmLabel="Delete team"
        onConfirm={remove}
      >
        <Stack>
          <p>
            Its figures and its conditions for scenarios are lost. Its people are still counted in the buildings. Your
            files stay. This cannot be undone.
          </p>
          <p>Teams in it must be moved or deleted first.</p>
        </Stack>
      </ConfirmDialog>
    </>
  )
}
