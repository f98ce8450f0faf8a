import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { readRuns } from '../../solutions/forecasts/read-runs.ts'
import { type ForecastRun, runInput } from '../../solutions/forecasts/run-input.ts'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { formatAmount, formatPercent } from '../../ui/format/format.ts'
import { withoutDirections } from '../../ui/format/untrusted-text.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { Badge, StatusBadge, Time } from '../../ui/values/values.tsx'
import { DeleteScenarios } from './delete-scenarios.tsx'
import { formatKept } from './scenario-words.ts'
import styles from './scenarios.module.css'
import { useWorkplace } from './use-workplace.ts'
import type { Scenario, Workplace } from './workplace.ts'

const route = getRouteApi('/$workspaceId/scenarios')
const pollMs = 2_000
const pageSize = 25

export const isActive = ({ status }: Pick<Scenario, 'status'>): boolean => status === 'queued' || status === 'running'

/** The scenarios of the workspace, newest first. Two of them can be compared. */
export function ScenariosPage() {
  const { cursor, name } = route.useSearch()
  const can = useCan()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)
  const { data: workplace } = useWorkplace()
  const { data: forecasts } = useApiQuery(['forecasts', 'list', {}], (api, options) => readRuns(api, {}, options))
  const { data, error, refetch } = useApiQuery(
    ['scenarios', 'list', cursor, name],
    (api, options) => api.solutions.listScenarios({ query: { limit: pageSize, name, cursor } }, options),
    { refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? pollMs : false) },
  )
  const columns = useMemo(() => columnsOf(workplace, forecasts?.runs), [workplace, forecasts])
  const isFiltered = name !== undefined || cursor !== undefined
  return (
    <ListPage
      title="Scenarios"
      description="Which floors do you need, who sits where, and what does closing the others save?"
      actions={<NewButton />}
      filters={
        (isFiltered || (data?.items.length ?? 0) > 0) && [{ name: 'name', label: 'Search scenarios', isSearch: true }]
      }
      after={
        <DeleteScenarios
          scenarios={isDeleting ? (data?.items ?? []).filter(({ id }) => keys.has(id)) : []}
          onClose={() => setDeleting(false)}
          onDeleted={(ids) => setKeys(new Set([...keys].filter((key) => !ids.includes(key))))}
        />
      }
    >
      <PagedTable
        columns={columns}
        page={{ data, error, refetch }}
        noun="scenarios"
        rowKey={({ id }) => id}
        rowName={({ name: ofRow }) => ofRow}
        rowLink={({ id }) => ({
          to: '/$workspaceId/scenarios/$scenarioId',
          params: { scenarioId: id },
          search: {},
        })}
        selection={{
          keys,
          onChange: setKeys,
          noun: 'scenario',
          actions: (
            <>
              <CompareLink keys={keys} />
              {can('solutions:write') && (
                <Button size="small" onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              )}
            </>
          ),
        }}
        empty={<Empty isFiltered={isFiltered} />}
      />
    </ListPage>
  )
}

/** Leads to the comparison of two scenarios. */
function CompareLink({ keys }: { keys: ReadonlySet<string> }) {
  const [one, other] = [...keys]
  return one !== undefined && other !== undefined && keys.size === 2 ? (
    <ButtonLink
      size="small"
      to="/$workspaceId/scenarios/$scenarioId"
      params={{ scenarioId: one }}
      search={{ compare: other }}
    >
      Compare
    </ButtonLink>
  ) : (
    <span>Choose two to compare them.</span>
  )
}

function NewButton() {
  const can = useCan()
  if (!can('solutions:run')) return null
  return (
    <ButtonLink icon="plus" variant="primary" to="/$workspaceId/scenarios/new">
      New scenario
    </ButtonLink>
  )
}

const columnsOf = (
  workplace: Workplace | undefined,
  forecasts: readonly ForecastRun[] | undefined,
): Column<Scenario>[] => [
  {
    header: 'Name',
    cell: ({ name, trigger, forecast_run_id: id }) => (
      <div>
        <div>{withoutDirections(name)}</div>
        <div className={styles.origin}>
          {describeOrigin(
            trigger,
            forecasts?.find((run) => run.id === id),
          )}
        </div>
      </div>
    ),
  },
  {
    header: 'Building',
    cell: ({ space_id: id }) => (id === null ? 'All' : (workplace?.nameOf(id) ?? '…')),
  },
  {
    header: 'Saves a year',
    align: 'end',
    cell: ({ summary }) => (summary?.saving ? formatAmount(summary.saving.amount, summary.saving.currency) : '–'),
  },
  {
    header: 'Place for everyone',
    align: 'end',
    cell: ({ summary }) => (summary?.service_level == null ? '–' : `${formatKept(summary.service_level)} of days`),
  },
  { header: 'State', cell: (scenario) => <ScenarioState scenario={scenario} /> },
  { header: 'Made', cell: ({ created_at: at }) => <Time value={at} /> },
]

/** Says who asked, and what is planned; the forecast may have been deleted. */
function describeOrigin(trigger: Scenario['trigger'], forecast: ForecastRun | undefined): string {
  const asked = trigger === 'forecast' ? 'Found after a forecast' : 'Asked by a person'
  if (forecast === undefined) return asked
  return `${asked}, plans ${runInput(forecast).workplace?.level === 'team' ? 'teams' : 'people by floor'}`
}

/** The state of a scenario in words: what was found, if it is finished. */
export function ScenarioState({ scenario }: { scenario: Pick<Scenario, 'status' | 'summary' | 'progress' | 'stale'> }) {
  const { status, summary, progress } = scenario
  if (scenario.stale) return <Badge tone="warning">Stale: its data was deleted</Badge>
  if (summary !== null)
    return summary.is_feasible ? (
      <Badge tone="success">Enough places</Badge>
    ) : (
      <Badge tone="warning">Too few places</Badge>
    )
  return (
    <span>
      <StatusBadge status={status} /> {status === 'running' && formatPercent(progress)}
    </span>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon="filter" title="No scenario matches">
        Change or clear the search.
      </EmptyState>
    )
  return (
    <EmptyState icon="layers" title="No scenarios yet" actions={<NewButton />}>
      Ask what happens if a floor closes on Fridays, or if 10 % more people come. You get the saving of a year and a
      report for the board.
    </EmptyState>
  )
}
