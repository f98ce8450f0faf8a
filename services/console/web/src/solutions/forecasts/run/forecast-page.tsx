import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { useApiQuery, useCan } from '../../../session/workspace-context.tsx'
import { Link } from '../../../ui/button/button-link.tsx'
import { formatCount, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { formatDay } from '../../../ui/format/format-time.ts'
import { useReader } from '../../../ui/format/reader.ts'
import { Callout, ErrorMessage } from '../../../ui/message/message.tsx'
import { Card, Page } from '../../../ui/page/page.tsx'
import { Progress } from '../../../ui/values/progress.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../../ui/values/values.tsx'
import { aggregationWords, describePeriod } from '../forecast-words.ts'
import { columnsText, type ForecastRunDetail, isActive, type RunInput, runInput } from '../run-input.ts'
import { runName } from '../run-names.ts'
import { type Names, useNames } from '../use-names.ts'
import { FinishedRun, LoadingResult } from './finished-run.tsx'
import { RunActions } from './run-actions.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')
const pollMs = 1_500

/** A forecast run: its progress, and then its result. */
export function ForecastPage() {
  const { runId } = route.useParams()
  const {
    data: run,
    error,
    refetch,
  } = useApiQuery(
    ['forecasts', 'run', runId],
    (api, options) => api.solutions.getForecastRun({ params: { id: runId } }, options),
    { refetchInterval: ({ state: { data } }) => (data !== undefined && isActive(data) ? pollMs : false) },
  )
  // The title contains names; a longer title would move the page.
  const names = useNames()
  const parent = { label: 'Forecasts', link: { to: '/$workspaceId/forecasts' } } as const
  if (run === undefined || names === undefined)
    return (
      <Page title="Forecast" parent={parent}>
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <LoadingResult />}
      </Page>
    )
  return <LoadedPage run={run} names={names} parent={parent} />
}

function LoadedPage({
  run,
  names,
  parent,
}: {
  run: ForecastRunDetail
  names: Names
  parent: React.ComponentProps<typeof Page>['parent'] & object
}) {
  return (
    <Page
      title={`Forecast: ${runName(run, names)}`}
      status={run.status === 'finished' ? undefined : <StatusBadge status={run.status} />}
      description={
        <>
          Started <Time value={run.created_at} />
        </>
      }
      parent={parent}
      actions={<RunActions run={run} />}
    >
      <RunState run={run} />
      <InputCard run={run} names={names} />
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

/** The input of a run, and when it ran. */
function InputCard({ run, names }: { run: ForecastRunDetail; names: Names }) {
  const reader = useReader()
  const input = runInput(run)
  const { workplace } = input
  const points = input.series?.reduce((sum, { point_count }) => sum + point_count, 0)
  return (
    <Card title="About this forecast">
      <DefinitionList
        items={[
          input.data_source_id !== undefined && [
            'File',
            <SourceLink key="source" id={input.data_source_id} name={names.get(input.data_source_id)} />,
          ],
          workplace !== undefined && [
            'Counted',
            workplace.measure === 'peak'
              ? 'People present at the busiest moment of a day'
              : 'Different people of a day',
          ],
          run.history_until !== undefined && ['History until', formatDay(run.history_until, reader)],
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
          workplace === undefined && [
            `Several values of one ${input.frequency}`,
            aggregationWords[input.aggregation ?? 'sum'],
          ],
          input.measure !== undefined && [
            'Values are',
            input.measure === 'level' ? 'people present at a moment' : 'arrivals in an interval',
          ],
          ['Time zone', input.timezone],
          ['Ahead', describePeriod(input.horizon, input.frequency)],
          ['Ranges', (input.levels ?? []).map((level) => formatPercent(level)).join(', ')],
          input.capacity !== undefined && ['Capacity', capacityText(input.capacity, (input.group_by ?? []).length > 0)],
          input.holidays !== undefined && ['Holidays', formatCount(input.holidays.length, 'date')],
          input.closures !== undefined && ['Closures', closuresText(input.closures)],
          input.calendar !== undefined && ['Kinds of days', input.calendar.map(({ name }) => name).join(', ')],
          run.external_id !== null && ['External id', <code key="external">{run.external_id}</code>],
          run.finished_at !== null && ['Ended', <Time key="ended" value={run.finished_at} format="absolute" />],
          ['Id', <Id key="id" value={run.id} />],
        ]}
      />
    </Card>
  )
}

/** @param props.name undefined for a source that was deleted, or is older than those whose names are listed */
function SourceLink({ id, name: listedName }: { id: string; name: string | undefined }) {
  const can = useCan()
  const { data, error } = useApiQuery(
    ['data', 'sources', id, 'name'],
    (api, options) => api.data.getSource({ params: { data_source_id: id } }, options),
    { enabled: listedName === undefined && can('data:read') },
  )
  const name = listedName ?? data?.name
  if (name === undefined)
    return error instanceof ApiError && error.status === 404 ? 'A deleted file' : <Id value={id} />
  return (
    <Link to="/$workspaceId/data/$sourceId" params={{ sourceId: id }}>
      {name}
    </Link>
  )
}

const capacityText = (capacity: NonNullable<RunInput['capacity']>, hasGroups: boolean): string =>
  typeof capacity === 'number'
    ? `${formatNumber(capacity)}${hasGroups ? ' for each group' : ''}`
    : `${formatCount(Object.keys(capacity).length, 'group')} with a number of their own`

const closuresText = (closures: NonNullable<RunInput['closures']>): string =>
  closures
    .map(({ dates, groups }) => `${formatCount(dates.length, 'date')}${groups ? ` of ${groups.join(', ')}` : ''}`)
    .join('; ')
