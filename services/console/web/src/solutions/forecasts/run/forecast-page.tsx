import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { StatusBadge } from '../../../ui/data/badge.tsx'
import { Progress } from '../../../ui/data/progress.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Callout } from '../../../ui/message/callout.tsx'
import { ErrorMessage } from '../../../ui/message/error-message.tsx'
import { Skeleton } from '../../../ui/message/skeleton.tsx'
import { Card, Page } from '../../../ui/page/page.tsx'
import { describeHorizon } from '../forecast-words.ts'
import { columnsText, type ForecastRunDetail, isActive, runInput } from '../run-input.ts'
import { useSourceName, useSources } from '../use-source-names.ts'
import { FinishedRun } from './finished-run.tsx'
import { InputCard } from './input-card.tsx'
import { RunActions } from './run-actions.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')
const pollMs = 1_500

/** A forecast run: its progress, and then its result. */
export function ForecastPage() {
  const { runId } = route.useParams()
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const {
    data: run,
    error,
    refetch,
  } = useQuery({
    queryKey: [workspaceId, 'forecasts', 'run', runId],
    queryFn: ({ signal }) => api.solutions.getForecastRun({ params: { id: runId } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? pollMs : false),
  })
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
