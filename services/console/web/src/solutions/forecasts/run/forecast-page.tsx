import { getRouteApi, Link } from '@tanstack/react-router'
import { useApiQuery, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { formatCount, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { Callout, ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { Card, Page } from '../../../ui/page/page.tsx'
import { Progress } from '../../../ui/values/progress.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../../ui/values/values.tsx'
import { describeHorizon } from '../forecast-words.ts'
import { columnsText, type ForecastRunDetail, isActive, type RunInput, runInput } from '../run-input.ts'
import { useSourceName, useSources } from '../use-source-names.ts'
import { FinishedRun } from './finished-run.tsx'
import { RunActions } from './run-actions.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')
const pollMs = 1_500

/** A forecast run: its progress, and then its result. */
export function ForecastPage() {
  const { runId } = route.useParams()
  const workspaceId = useWorkspaceId()
  const {
    data: run,
    error,
    refetch,
  } = useApiQuery(
    ['forecasts', 'run', runId],
    (api, options) => api.solutions.getForecastRun({ params: { id: runId } }, options),
    { refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? pollMs : false) },
  )
  // The title contains the name of the source; a longer title would move the page.
  const { isLoading: isNaming } = useSources()
  const parent = { label: 'Forecasts', link: { to: '/$workspaceId/forecasts', params: { workspaceId } } } as const
  if (run === undefined || isNaming)
    return (
      <Page title="Forecast" parent={parent}>
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  return <LoadedPage run={run} parent={parent} />
}

function LoadedPage({
  run,
  parent,
}: {
  run: ForecastRunDetail
  parent: React.ComponentProps<typeof Page>['parent'] & object
}) {
  const input = runInput(run)
  const sourceName = useSourceName(input.data_source_id)
  return (
    <Page
      title={input.data_source_id === undefined ? 'Forecast of pasted series' : `Forecast of ${sourceName}`}
      status={<StatusBadge status={run.status} />}
      description={
        <>
          The next {describeHorizon(input.horizon, input.frequency)}
          {input.value_field !== undefined && ` of ${columnsText(input.value_field)}`}
          {(input.group_by ?? []).length > 0 && `, by ${input.group_by?.join(', ')}`}. Started{' '}
          <Time value={run.created_at} />.
        </>
      }
      parent={parent}
      actions={<RunActions run={run} />}
    >
      <RunState run={run} />
      <InputCard run={run} />
    </Page>
  )
}

function RunState({ run }: { run: ForecastRunDetail }) {
  if (run.status === 'finished') return <FinishedRun run={run} />
  if (run.status === 'failed')
    return (
      <Callout tone="danger" title="The forecast failed">
        <p>{run.error?.message ?? 'No reason was recorded.'}</p>
        <p>
          {run.error?.retryable
            ? 'The same input may succeed later: run it again.'
            : 'Choose Change and run to correct the input.'}
        </p>
      </Callout>
    )
  if (run.status === 'cancelled')
    return <Callout title="The forecast was cancelled">Its input is kept, so it can be run again at any time.</Callout>
  return (
    <Card title="In progress">
      <div role="status">
        <Progress
          label={run.status === 'queued' ? 'Waiting for a free worker' : 'Reading the data and comparing models'}
          value={run.progress}
        />
      </div>
    </Card>
  )
}

const Loading = () => (
  <Card>
    <div role="status" aria-label="Loading the forecast" style={{ display: 'grid', gap: 'var(--space-3)' }}>
      <Skeleton width="40%" />
      <Skeleton height="16rem" />
    </div>
  </Card>
)

/** The input of a run, and when it ran. */
function InputCard({ run }: { run: ForecastRunDetail }) {
  const input = runInput(run)
  const points = input.series?.reduce((sum, { point_count }) => sum + point_count, 0)
  return (
    <Card title="Input">
      <DefinitionList
        items={[
          ['Run', <Id key="id" value={run.id} />],
          input.data_source_id !== undefined && ['Data source', <SourceLink key="source" id={input.data_source_id} />],
          input.series !== undefined && [
            'Series',
            `${formatCount(input.series.length, 'pasted series', 'pasted series')}, ${formatCount(points ?? 0, 'point')}`,
          ],
          input.timestamp_field !== undefined && [
            'Time column',
            <code key="time">{columnsText(input.timestamp_field)}</code>,
          ],
          input.timestamp_format !== undefined && ['Time format', <code key="format">{input.timestamp_format}</code>],
          input.value_field !== undefined && [
            'Value column',
            <code key="value">{columnsText(input.value_field)}</code>,
          ],
          (input.group_by ?? []).length > 0 && ['Groups', <code key="groups">{input.group_by?.join(', ')}</code>],
          ['Step', `${input.frequency}, ${input.aggregation ?? 'sum'} of its values`],
          input.measure !== undefined && ['Kind of the values', input.measure],
          ['Time zone', input.timezone],
          ['Horizon', describeHorizon(input.horizon, input.frequency)],
          ['Intervals', (input.levels ?? []).map((level) => formatPercent(level)).join(', ')],
          input.capacity !== undefined && ['Capacity', capacityText(input.capacity)],
          input.holidays !== undefined && ['Holidays', formatCount(input.holidays.length, 'date')],
          input.closures !== undefined && ['Closures', closuresText(input.closures)],
          input.calendar !== undefined && ['Kinds of days', input.calendar.map(({ name }) => name).join(', ')],
          run.external_id !== null && ['External id', <code key="external">{run.external_id}</code>],
          run.finished_at !== null && ['Ended', <Time key="ended" value={run.finished_at} format="absolute" />],
        ]}
      />
    </Card>
  )
}

function SourceLink({ id }: { id: string }) {
  const workspaceId = useWorkspaceId()
  const name = useSourceName(id)
  return (
    <Link to="/$workspaceId/data/$sourceId" params={{ workspaceId, sourceId: id }}>
      {name}
    </Link>
  )
}

const capacityText = (capacity: NonNullable<RunInput['capacity']>): string =>
  typeof capacity === 'number'
    ? `${formatNumber(capacity)} for each group`
    : `${formatCount(Object.keys(capacity).length, 'group')} with a number of their own`

const closuresText = (closures: NonNullable<RunInput['closures']>): string =>
  closures
    .map(({ dates, groups }) => `${formatCount(dates.length, 'date')}${groups ? ` of ${groups.join(', ')}` : ''}`)
    .join('; ')
