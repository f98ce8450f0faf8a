import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sessionQuery } from '../../session/session.ts'
import { useApiQuery, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Icon } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { FilterBar, SelectFilter } from '../../ui/form/filter-bar.tsx'
import { formatPercent } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import { describeHorizon } from './forecast-words.ts'
import { columnsText, type ForecastRun, isActive, runInput } from './run-input.ts'
import { startSnippets } from './snippets.ts'
import { useSources } from './use-source-names.ts'

const route = getRouteApi('/$workspaceId/forecasts')
const pollMs = 2_000
const pageSize = 25
const statuses = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const

/** The forecast runs of the workspace, newest first. */
export function ForecastsPage() {
  const search = route.useSearch()
  const workspaceId = useWorkspaceId()
  const { status, source, cursor } = search
  const { data, error, refetch } = useApiQuery(
    ['forecasts', 'list', search],
    (api, options) =>
      api.solutions.listForecastRuns(
        {
          query: {
            limit: pageSize,
            ...(status !== undefined && { status }),
            ...(source !== undefined && { data_source_id: source }),
            ...(cursor !== undefined && { cursor }),
          },
        },
        options,
      ),
    { refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? pollMs : false) },
  )
  const sources = useSources().data?.items
  const columns = useMemo(
    () => columnsOf(new Map((sources ?? []).map(({ data_source_id, name }) => [data_source_id, name]))),
    [sources],
  )
  return (
    <Page
      title="Forecasts"
      description="Forecasts of occupancy, arrivals or any other counted value, with intervals and a check against the naive forecast."
      actions={<StartButton />}
    >
      <Card isFlush>
        <Filters sources={sources ?? []} />
        <PagedTable
          label="Forecasts"
          columns={columns}
          page={{ data, error, refetch }}
          cursor={cursor}
          noun="forecasts"
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/$workspaceId/forecasts/$runId', params: { workspaceId, runId: id } })}
          empty={<Empty isFiltered={status !== undefined || source !== undefined || cursor !== undefined} />}
        />
      </Card>
    </Page>
  )
}

function StartButton() {
  const workspaceId = useWorkspaceId()
  const can = useCan()
  if (!can('solutions:run')) return null
  return (
    <ButtonLink variant="primary" to="/$workspaceId/forecasts/new" params={{ workspaceId }} search={{}}>
      <Icon name="plus" size={16} />
      New forecast
    </ButtonLink>
  )
}

function Filters({ sources }: { sources: readonly { data_source_id: string; name: string }[] }) {
  const search = route.useSearch()
  const { status, source } = search
  const navigate = route.useNavigate()
  const set = (name: 'status' | 'source') => (value: string | undefined) => {
    const { [name]: _old, cursor: _cursor, ...others } = search
    // The filter offers values of the search parameter only.
    void navigate({ search: value === undefined ? others : { ...others, [name]: value }, replace: true })
  }
  const isFiltered = status !== undefined || source !== undefined
  return (
    <FilterBar onClear={isFiltered ? () => void navigate({ to: '.', search: {} }) : undefined}>
      <SelectFilter label="Status" value={status} onChange={set('status')} options={statuses} />
      <SelectFilter
        label="Data source"
        value={source}
        onChange={set('source')}
        options={sources.map(({ data_source_id: value, name: label }) => ({ value, label }))}
      />
    </FilterBar>
  )
}

function columnsOf(names: ReadonlyMap<string, string>): Column<ForecastRun>[] {
  const sourceOf = (run: ForecastRun) => {
    const { data_source_id: id } = runInput(run)
    return id === undefined ? 'Pasted series' : (names.get(id) ?? id)
  }
  return [
    { header: 'Source', cell: sourceOf },
    {
      header: 'Status',
      cell: (run) => (
        <span>
          <StatusBadge status={run.status} /> {run.status === 'running' && formatPercent(run.progress)}
        </span>
      ),
    },
    { header: 'Value', cell: (run) => columnsText(runInput(run).value_field) },
    { header: 'Groups', cell: groupsText },
    {
      header: 'Horizon',
      cell: (run) => describeHorizon(runInput(run).horizon, runInput(run).frequency),
    },
    { header: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
  ]
}

function groupsText(run: ForecastRun): string {
  const { group_by: groupBy = [], series } = runInput(run)
  if (series !== undefined) return series.length === 1 ? 'One series' : `${series.length} series`
  return groupBy.length === 0 ? 'One series' : `By ${groupBy.join(', ')}`
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const baseUrl = useQuery(sessionQuery).data?.public_base_url ?? location.origin
  if (isFiltered)
    return (
      <EmptyState icon="filter" title="No forecast matches">
        Change or clear the filters.
      </EmptyState>
    )
  return (
    <EmptyState
      icon="chart"
      title="No forecasts yet"
      actions={<StartButton />}
      snippet={<Snippets label="Start a forecast" snippets={startSnippets(baseUrl)} />}
    >
      Upload counts with a time column, then forecast them by hour, day or week.
    </EmptyState>
  )
}
