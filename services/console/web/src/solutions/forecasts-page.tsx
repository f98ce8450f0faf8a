import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useNamesOf } from '../names/resource-names.ts'
import { useApiQuery, useCan } from '../session/workspace-context.tsx'
import { ListPage } from '../shell/list-page.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { formatCount, formatPercent } from '../ui/format/format.ts'
import { EmptyState, NoMatch } from '../ui/message/message.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import { DeleteForecasts } from './forecasts/delete-forecasts.tsx'
import { maxRuns, readRuns } from './forecasts/read-runs.ts'
import { type ForecastRun, isActive } from './forecasts/run-input.ts'
import { runName, subjectIdOf } from './forecasts/run-names.ts'
import { useNames } from './forecasts/use-names.ts'

const route = getRouteApi('/$workspaceId/forecasts')
const pollMs = 2_000
const pageSize = 50
const statuses = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const

/** The forecasts of the workspace. Their names are made here, so the list is searched and sorted here too. */
export function ForecastsPage() {
  const { status, source, q, order, cursor } = route.useSearch()
  const first = Math.trunc(Number(cursor)) || 0
  const { data, error, refetch } = useApiQuery(
    ['forecasts', 'list', { status, source }],
    (api, options) =>
      readRuns(
        api,
        { ...(status !== undefined && { status }), ...(source !== undefined && { data_source_id: source }) },
        options,
      ),
    { refetchInterval: ({ state }) => (state.data?.runs.some(isActive) ? pollMs : false) },
  )
  const isByName = (q ?? order) !== undefined
  const all = useNames(isByName)
  const runs = useMemo(() => {
    if (data === undefined || !isByName) return data?.runs
    if (all === undefined) return undefined
    const named = data.runs.map((run) => ({ run, name: runName(run, all) }))
    const found = q === undefined ? named : named.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    if (order !== undefined) found.sort((left, right) => left.name.localeCompare(right.name, 'en', { numeric: true }))
    return found.map(({ run }) => run)
  }, [data, isByName, all, q, order])
  const shownRuns = runs?.slice(first, first + pageSize)
  // The names of one page of the list: those of thousands of spaces would keep it waiting.
  const ids = [source, ...(shownRuns ?? []).map(subjectIdOf)].filter((id) => id !== undefined)
  const { names, isReading } = useNamesOf(ids)
  const shown = shownRuns?.map((run): NamedRun => {
    const id = subjectIdOf(run)
    return { run, name: isReading && id !== undefined && !names.has(id) ? '…' : runName(run, names) }
  })
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)
  const mayDelete = useCan()('solutions:write')
  const isFiltered = status !== undefined || source !== undefined || q !== undefined
  return (
    <ListPage
      title="Forecasts"
      description="How busy buildings, teams or anything that is counted will be."
      actions={<StartButton />}
      filters={[
        { name: 'q', label: 'Search', placeholder: 'Building, team or file', isSearch: true },
        { name: 'status', label: 'Status', options: statuses },
        ...(source === undefined
          ? []
          : [
              {
                name: 'source',
                label: 'File',
                options: [{ value: source, label: names.get(source) ?? (isReading ? '…' : 'A deleted file') }],
              },
            ]),
        {
          name: 'order',
          label: 'Order',
          all: 'Newest first',
          options: [{ value: 'name', label: 'By name' }],
          isOrder: true,
        },
      ]}
      after={
        <DeleteForecasts
          ids={isDeleting ? [...keys] : []}
          onClose={() => setDeleting(false)}
          onDeleted={(failed) => setKeys(new Set(failed))}
        />
      }
    >
      <DataTable
        label="Forecasts"
        columns={columns}
        rows={shown}
        error={error}
        onRetry={() => void refetch()}
        rowKey={({ run }) => run.id}
        rowLink={({ run }) => ({ to: '/$workspaceId/forecasts/$runId', params: { runId: run.id } })}
        rowName={({ name }) => name}
        {...(mayDelete && {
          selection: {
            keys,
            onChange: setKeys,
            noun: 'forecast',
            actions: (
              <Button size="small" variant="danger" onClick={() => setDeleting(true)}>
                Delete {formatCount(keys.size, 'forecast')}
              </Button>
            ),
          },
        })}
        empty={<Empty isFiltered={isFiltered} />}
        footer={
          runs &&
          shown && (
            <Pager
              nextCursor={first + pageSize < runs.length ? String(first + pageSize) : null}
              shown={shown.length}
              noun={nounOf(data?.isCut, q !== undefined)}
              total={runs.length}
            />
          )
        }
      />
    </ListPage>
  )
}

interface NamedRun {
  run: ForecastRun
  name: string
}

/** Names the rows of a list that may have been cut. */
function nounOf(isCut = false, isSearched: boolean): string {
  if (!isCut) return 'forecasts'
  return isSearched ? `forecasts among the newest ${maxRuns}` : 'newest forecasts'
}

function StartButton() {
  const can = useCan()
  if (!can('solutions:run')) return null
  return (
    <ButtonLink icon="plus" variant="primary" to="/$workspaceId/forecasts/new">
      New forecast
    </ButtonLink>
  )
}

const columns: Column<NamedRun>[] = [
  { header: 'Forecast', cell: ({ name }) => name },
  {
    header: 'Status',
    cell: ({ run }) => (
      <span>
        <StatusBadge status={run.status} /> {run.status === 'running' && formatPercent(run.progress)}
      </span>
    ),
  },
  { header: 'Created', cell: ({ run }) => <Time value={run.created_at} /> },
]

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoMatch title="No forecast matches" />
  return (
    <EmptyState icon="chart" title="No forecasts yet" actions={<StartButton />}>
      How many people to expect in a building, in a team, or by the numbers of a file.
    </EmptyState>
  )
}
