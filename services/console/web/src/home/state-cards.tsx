import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useApiQuery, useWorkspaceId } from '../session/workspace-context.tsx'
import { levelsOf } from '../solutions/forecasts/chart-data.ts'
import { type Group, rankGroups } from '../solutions/forecasts/rank-groups.ts'
import { StepTime } from '../solutions/forecasts/run/step-time.tsx'
import { capacityOf, type ForecastRunDetail, runInput } from '../solutions/forecasts/run-input.ts'
import { formatCount, formatNumber, formatPercent } from '../ui/format/format.ts'
import { withoutDirections } from '../ui/format/untrusted-text.ts'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import styles from './checklist.module.css'
import { ListCard } from './list-card.tsx'
import { sparkline } from './sparkline.ts'
import type { CardQuery } from './workspace-state.ts'

export function ForecastsCard({ query }: CardQuery<'runs'>) {
  const workspaceId = useWorkspaceId()
  const newestFinished = query.data?.items.find(({ status }) => status === 'finished')?.id
  return (
    <ListCard
      title="Forecasts"
      query={query}
      none="No forecast has run yet."
      all={
        <Link to="/$workspaceId/forecasts" params={{ workspaceId }}>
          All forecasts
        </Link>
      }
    >
      {query.data?.items.map(({ id, status, created_at, input }) => (
        <Fragment key={id}>
          <Link className={styles.row} to="/$workspaceId/forecasts/$runId" params={{ workspaceId, runId: id }}>
            <span>
              {describeInput(input)}
              <small>
                <Time value={created_at} />
              </small>
            </span>
            <StatusBadge status={status} />
          </Link>
          {id === newestFinished && <ForecastOutlook runId={id} />}
        </Fragment>
      ))}
    </ListCard>
  )
}

/** Names a run by its values and horizon. */
function describeInput({ value_field, horizon, frequency }: Record<string, unknown>): string {
  const steps = typeof horizon === 'number' && typeof frequency === 'string' ? formatCount(horizon, frequency) : ''
  return [nameOf(value_field), steps].filter(Boolean).join(', ')
}

const nameOf = (columns: unknown): string =>
  typeof columns === 'string' ? columns : Array.isArray(columns) ? columns.join(', ') : 'Series'

export function RecommendationsCard({ query }: CardQuery<'recommendations'>) {
  const workspaceId = useWorkspaceId()
  return (
    <ListCard
      title="Open recommendations"
      query={query}
      none="No recommendation is open."
      all={
        <Link to="/$workspaceId/recommendations" params={{ workspaceId }}>
          All recommendations
        </Link>
      }
    >
      {query.data?.items.map(({ id, title, confidence, created_at }) => (
        <Link key={id} className={styles.row} to="/$workspaceId/recommendations" params={{ workspaceId }}>
          <span>
            {withoutDirections(title)}
            <small>
              <Time value={created_at} />
            </small>
          </span>
          {confidence !== null && <span className={styles.side}>{formatPercent(confidence)} sure</span>}
        </Link>
      ))}
    </ListCard>
  )
}

export function SourcesCard({ query }: CardQuery<'sources'>) {
  const workspaceId = useWorkspaceId()
  return (
    <ListCard
      title="Data sources"
      query={query}
      none="There is no data yet."
      all={
        <Link to="/$workspaceId/data" params={{ workspaceId }}>
          All sources
        </Link>
      }
    >
      {query.data?.items.map(({ data_source_id, name, status, record_count, last_synced_at }) => (
        <Link
          key={data_source_id}
          className={styles.row}
          to="/$workspaceId/data/$sourceId"
          params={{ workspaceId, sourceId: data_source_id }}
        >
          <span>
            {name}
            <small>
              {formatCount(record_count, 'record')}
              {last_synced_at && (
                <>
                  {' · synced '}
                  <Time value={last_synced_at} />
                </>
              )}
            </small>
          </span>
          <StatusBadge status={status} />
        </Link>
      ))}
    </ListCard>
  )
}

/** The fullest group of a finished forecast as a small chart, with its peak in words. */
function ForecastOutlook({ runId }: { runId: string }) {
  const { data: run } = useApiQuery(['forecasts', 'run', runId], (api, options) =>
    api.solutions.getForecastRun({ params: { id: runId } }, options),
  )
  const group = run && rankGroups(run)[0]
  return (
    <div className={styles.outlook}>
      <svg className={styles.sparkline} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {run && group && <Lines run={run} group={group} />}
      </svg>
      <p>{run && group && <PeakText run={run} group={group} />}</p>
    </div>
  )
}

function Lines({ run, group: { series } }: { run: ForecastRunDetail; group: Group }) {
  const level = levelsOf(series)[0]
  const bounds = series.points.flatMap((point) => {
    const values: Record<string, unknown> = point
    const [lower, upper] = [values[`lower_${level}`], values[`upper_${level}`]]
    return typeof lower === 'number' && typeof upper === 'number' ? [[lower, upper] as const] : []
  })
  const means = series.points.map(({ mean }) => mean)
  const paths = sparkline(means, bounds.length === means.length ? bounds : [], capacityOf(runInput(run), series.key))
  return (
    <>
      <path className={styles.band} d={paths.band} />
      <path className={styles.capacity} d={paths.capacity} />
      <path className={styles.mean} d={paths.mean} />
    </>
  )
}

function PeakText({ run, group: { name, peak } }: { run: ForecastRunDetail; group: Group }) {
  if (peak === null) return null
  const { timezone, frequency } = runInput(run)
  return (
    <>
      <bdi>{name}</bdi>: peak {formatNumber(peak.value, 1)} on{' '}
      <StepTime value={peak.time} timeZone={timezone} frequency={frequency} />
      {peak.share !== null && `, ${formatPercent(peak.share)} of the capacity`}
    </>
  )
}
