import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { StatusBadge } from '../ui/data/badge.tsx'
import { Time } from '../ui/data/time.tsx'
import { formatCount, formatPercent } from '../ui/format/format.ts'
import { withoutDirections } from '../ui/format/isolate.ts'
import styles from './checklist.module.css'
import { ForecastOutlook } from './forecast-outlook.tsx'
import { ListCard } from './list-card.tsx'
import type { CardQuery } from './use-workspace-state.ts'

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
