import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Icon } from '../../ui/button/button.tsx'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { formatDay } from '../../ui/format/format-time.ts'
import { type Reader, useReader } from '../../ui/format/reader.ts'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { Stat, Stats, Time } from '../../ui/values/values.tsx'
import { DatasetActions } from './dataset-actions.tsx'
import { SilentReaders, UnusedRows } from './dataset-tables.tsx'
import { type Dataset, describeMapping } from './dataset-words.ts'
import { MappingCard } from './mapping-card.tsx'
import { NamesCard } from './names/names-card.tsx'
import { UnknownNames } from './names/unknown-names.tsx'
import { type CountState, useCountState, useDataset, useNames } from './use-dataset.ts'

const route = getRouteApi('/$workspaceId/datasets/$datasetId')

/** A file that buildings are counted from: its rows by what became of them, and the names of places and teams in it. */
export function DatasetPage() {
  const can = useCan()
  const reader = useReader()
  const { datasetId } = route.useParams()
  const { next } = route.useSearch()
  const { data, error, refetch } = useDataset(datasetId)
  const names = useNames(data)
  const spaceId = names.data?.spaceId
  const known = useCountState(data, names.data)
  // A page that is shown stays, while its next state is read.
  const [isShown, setShown] = useState(false)
  if (!isShown && (known !== undefined || names.error)) setShown(true)
  const state = known ?? (names.error ? undefined : 'counting')
  const hasUnknown = (names.data?.unknown.length ?? 0) > 0
  useShowWhenCounted(
    next === 'show' && state === 'done' && names.data !== undefined && !hasUnknown,
    data?.dataset,
    spaceId,
  )
  const parent = { label: 'Data', link: { to: '/$workspaceId/data' } } as const
  if (error || data === undefined || !isShown)
    return <UnloadedPage title="File" parent={parent} error={error} refetch={refetch} />
  const { dataset, refresh } = data
  const isSettled = state === 'done' || state === 'counting'
  return (
    <Page
      title={dataset.name}
      parent={parent}
      description={describeMapping(dataset.kind, dataset.mapping)}
      actions={
        <>
          {isSettled && <ShowLink dataset={dataset} spaceId={spaceId} variant={hasUnknown ? 'default' : 'primary'} />}
          {can('solutions:write') && <DatasetActions dataset={dataset} isBusy={state === 'reading'} />}
        </>
      }
    >
      <CountProgress state={state} isList={dataset.kind in listOf} changes={refresh?.counts.changes ?? 0} />
      {refresh?.status === 'failed' && (
        <Callout tone="danger" title="The file could not be counted">
          {refresh.error?.message ?? 'Try again with “Count again”.'}
        </Callout>
      )}
      {names.error && <ErrorMessage error={names.error} onRetry={() => void names.refetch()} />}
      {names.data && hasUnknown && can('solutions:write') && (
        <UnknownNames
          kind={dataset.kind}
          key={dataset.updated_at}
          datasetId={datasetId}
          spaces={names.data.spaces}
          teams={names.data.teams}
          hasMore={names.data.hasMore}
          values={names.data.unknown}
          names={names.data.hasMoreKnown ? undefined : names.data.values}
          buildingId={spaceId}
          onApplied={() => void refetch()}
        />
      )}
      <Stats>
        <Stat label="Rows read" value={formatNumber(dataset.rows.read)} />
        <Stat label="Counted" value={formatNumber(dataset.rows.used)} />
        <Stat label="Not counted" value={formatNumber(dataset.rows.read - dataset.rows.used)} />
        <Stat label="Days" {...describeDays(dataset, reader)} />
        <Stat label="Last read" value={<Time value={dataset.refreshed_at} />} />
      </Stats>
      <UnusedRows title="Rows that are not counted" rows={dataset.rows.unused} />
      <UnusedRows title="Rows that are used, but should be checked" rows={dataset.rows.incomplete} />
      <SilentReaders gaps={dataset.gaps} />
      {names.data?.values.some(({ mapped_to: id }) => id !== null) && (
        <NamesCard datasetId={datasetId} names={names.data} version={dataset.updated_at} />
      )}
      <MappingCard key={`mapping ${dataset.updated_at}`} dataset={dataset} canWrite={can('solutions:write')} />
      <p>
        <Link to="/$workspaceId/data/$sourceId" params={{ sourceId: dataset.data_source_id }}>
          Open the uploaded rows
        </Link>
      </p>
    </Page>
  )
}

const dayMs = 86_400_000

/** `until` is the day after the last one. */
function describeDays(
  { since, until }: Pick<Dataset, 'since' | 'until'>,
  { locale }: Reader,
): { value: string; note?: string } {
  if (since === null || until === null) return { value: '–' }
  const [first, end] = [Date.parse(since), Date.parse(until)]
  return {
    value: formatNumber((end - first) / dayMs),
    note: `${formatDay(since, { locale })} – ${formatDay(new Date(end - dayMs).toISOString(), { locale })}`,
  }
}

/** The list to which a file of people or spaces adds; other files tell how full one building is. */
const listOf: Partial<
  Record<Dataset['kind'], { label: string; to: '/$workspaceId/teams' | '/$workspaceId/buildings' }>
> = {
  people: { label: 'See teams', to: '/$workspaceId/teams' },
  spaces: { label: 'See buildings', to: '/$workspaceId/buildings' },
}

/**
 * Opens the page with the figures once they are counted, for who came here from an upload. A list of which rows are
 * left out is not left before the person has seen which.
 */
function useShowWhenCounted(isDue: boolean, dataset: Dataset | undefined, spaceId: string | undefined): void {
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const kind = dataset?.kind
  const isWhole = dataset?.rows.read === dataset?.rows.used
  useEffect(() => {
    if (!isDue) return
    const options = { replace: true }
    const list = kind && listOf[kind]
    if (list && !isWhole) return
    if (list) void navigate({ ...options, to: list.to, params: { workspaceId } })
    else if (spaceId !== undefined)
      void navigate({ ...options, to: '/$workspaceId/buildings/$spaceId', params: { workspaceId, spaceId } })
  }, [isDue, kind, isWhole, spaceId, workspaceId, navigate])
}

function ShowLink({
  dataset: { kind },
  spaceId,
  variant,
}: {
  dataset: Dataset
  spaceId: string | undefined
  /** The names that are asked for come first. */
  variant: 'primary' | 'default'
}) {
  const list = listOf[kind]
  const label = (
    <>
      <Icon name="chart" size={16} />
      {list?.label ?? 'See utilization'}
    </>
  )
  if (list)
    return (
      <ButtonLink variant={variant} to={list.to}>
        {label}
      </ButtonLink>
    )
  if (spaceId === undefined) return null
  return (
    <ButtonLink variant={variant} to="/$workspaceId/buildings/$spaceId" params={{ spaceId }}>
      {label}
    </ButtonLink>
  )
}

/** @param props.isList true for a list of people or spaces, of which nothing is counted */
function CountProgress({
  state,
  isList,
  changes,
}: {
  state: CountState | undefined
  isList: boolean
  changes: number
}) {
  if (state !== 'reading' && state !== 'counting') return null
  const isReading = state === 'reading'
  return (
    <Card title={isReading ? 'Reading the rows' : isList ? 'Taking over the list' : 'Counting the days'}>
      <Stack>
        <Progress
          value={isReading ? readingShare : countingShare}
          label={
            isReading
              ? 'Step 1 of 2: the rows of the file'
              : `Step 2 of 2: ${isList ? 'what the list changes' : 'people by place and day'}`
          }
          text={changes > 0 ? formatCount(changes, isList ? 'change' : 'row') : ' '}
        />
      </Stack>
    </Card>
  )
}

/** The two steps take about as long as each other, and tell no share of their own. */
const readingShare = 0.25
const countingShare = 0.75
