import { type useApi, useApiQuery, useCan } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { formatCount, formatPercent } from '../../../ui/format/format.ts'
import { ErrorMessage } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Stat, Stats } from '../../../ui/values/values.tsx'
import { formatError, maseMeaning, wapeMeaning } from '../forecast-words.ts'
import { groupName } from '../groups.ts'
import type { ForecastRunDetail } from '../run-input.ts'

/**
 * Compares the forecast with the values that its source has received since. It reads the whole source, so on request.
 */
export function LaterAccuracy({ run }: { run: ForecastRunDetail }) {
  const can = useCan()
  const { data, error, isFetching, refetch } = useApiQuery(
    ['forecasts', 'accuracy', run.id],
    (api, options) => api.solutions.getForecastAccuracy({ params: { id: run.id } }, options),
    { enabled: false, staleTime: Number.POSITIVE_INFINITY },
  )
  return (
    <Card
      title="Accuracy since then"
      isFlush={data !== undefined && data.steps > 0}
      actions={
        <Button isBusy={isFetching} disabled={!can('data:read')} onClick={() => void refetch()}>
          {data === undefined ? 'Compare now' : 'Compare again'}
        </Button>
      }
    >
      {data === undefined && !error && (
        <p role="status">
          {can('data:read')
            ? 'Compares the forecast with what the file says now.'
            : 'The comparison requires the permission data:read.'}
        </p>
      )}
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : data && <Result accuracy={data} />}
    </Card>
  )
}

type Accuracy = Awaited<ReturnType<ReturnType<typeof useApi>['solutions']['getForecastAccuracy']>>

function Result({ accuracy: { steps, wape, mase, coverage, series } }: { accuracy: Accuracy }) {
  if (steps === 0)
    return <p>The file has no value of the forecast time yet. Compare again when new data has arrived.</p>
  return (
    <>
      <div style={{ padding: '0 var(--space-4) var(--space-4)' }}>
        <Stats>
          <Stat label="Compared" value={formatCount(steps, 'step')} />
          <Stat
            label={<span title={wapeMeaning}>Typically off by</span>}
            value={wape === null ? '–' : formatError(wape)}
          />
          <Stat
            label={<span title={maseMeaning}>Error against repeating the past</span>}
            value={mase === null ? '–' : againstPast(mase)}
          />
          {Object.entries(coverage).map(([level, share]) => (
            <Stat key={level} label={`Inside the ${level} % range`} value={formatPercent(share)} />
          ))}
        </Stats>
      </div>
      {series.length > 1 && (
        <DataTable label="Accuracy by group" columns={columns} rows={series} rowKey={rowKey} empty={null} />
      )}
    </>
  )
}

/** Describes an error relative to that of repeating the past. */
const againstPast = (mase: number): string => {
  const difference = Math.round(100 * (1 - mase))
  return difference === 0 ? 'As large' : `${Math.abs(difference)}\u00a0% ${difference > 0 ? 'smaller' : 'larger'}`
}

type Row = Accuracy['series'][number]
const rowKey = ({ key }: Row) => JSON.stringify(key)
const columns: Column<Row>[] = [
  { header: 'Group', cell: ({ key }) => groupName(key) },
  { header: 'Compared', align: 'end', cell: ({ steps }) => formatCount(steps, 'step') },
  { header: 'Typically off by', align: 'end', cell: ({ wape }) => (wape === null ? '–' : formatError(wape)) },
  { header: 'Against repeating the past', align: 'end', cell: ({ mase }) => (mase === null ? '–' : againstPast(mase)) },
]
