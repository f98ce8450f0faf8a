import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { formatCompact, formatCount, formatName, formatPercent } from '../ui/format.ts'
import { Card } from '../ui/page.tsx'
import { Progress } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import styles from './checklist.module.css'
import type { useWorkspaceState } from './use-workspace-state.ts'

type State = ReturnType<typeof useWorkspaceState>
type Of<Name extends keyof State> = { query: State[Name] }

/** The frame of a list on the home page: loading, error, nothing yet, or rows. */
function ListCard({
  title,
  all,
  query,
  none,
  children,
}: {
  title: string
  all: ReactNode
  query: { isLoading: boolean; error: unknown; isEnabled: boolean; data?: { items: readonly unknown[] } | undefined }
  none: string
  children: ReactNode
}) {
  if (!query.isEnabled) return null
  return (
    <Card title={title} actions={all} isFlush>
      {query.isLoading && (
        <div className={styles.meters}>
          <Skeleton width="70%" />
          <Skeleton width="50%" />
          <Skeleton width="60%" />
        </div>
      )}
      {query.error !== null && (
        <div className={styles.none}>
          <ErrorMessage error={query.error} />
        </div>
      )}
      {query.data?.items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <div className={styles.rows}>{children}</div>
      )}
    </Card>
  )
}

export function ForecastsCard({ query }: Of<'runs'>) {
  const workspaceId = useWorkspaceId()
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
        <Link key={id} className={styles.row} to="/$workspaceId/forecasts/$runId" params={{ workspaceId, runId: id }}>
          <span>
            {describeInput(input)}
            <small>
              <Time value={created_at} />
            </small>
          </span>
          <StatusBadge status={status} />
        </Link>
      ))}
    </ListCard>
  )
}

/** Names a run by its value and horizon. */
function describeInput({ value_field, horizon, frequency }: Record<string, unknown>): string {
  const steps = typeof horizon === 'number' && typeof frequency === 'string' ? formatCount(horizon, frequency) : ''
  return [typeof value_field === 'string' ? value_field : 'Series', steps].filter(Boolean).join(', ')
}

export function RecommendationsCard({ query }: Of<'recommendations'>) {
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
            {title}
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

export function SourcesCard({ query }: Of<'sources'>) {
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

const maxWebhooks = 5
const goodRate = 0.99

export function WebhooksCard({ query }: Of<'webhooks'>) {
  const workspaceId = useWorkspaceId()
  // Those that need attention come first.
  const attention = ({ status, stats }: { status: string; stats: { success_rate: number | null } }) =>
    status === 'disabled' ? 0 : (stats.success_rate ?? 1) < goodRate ? 1 : 2
  const webhooks = query.data?.items.toSorted((left, right) => attention(left) - attention(right)).slice(0, maxWebhooks)
  return (
    <ListCard
      title="Webhooks"
      query={query}
      none="No webhook is registered."
      all={
        <Link to="/$workspaceId/webhooks" params={{ workspaceId }}>
          All webhooks
        </Link>
      }
    >
      {webhooks?.map(({ webhook_id, endpoint, description, status, stats }) => (
        <Link
          key={webhook_id}
          className={styles.row}
          to="/$workspaceId/webhooks/$webhookId"
          params={{ workspaceId, webhookId: webhook_id }}
        >
          <span>
            {description ?? endpoint ?? 'Polled by its receiver'}
            <small>
              {formatCompact(stats.delivered)} delivered, {formatCompact(stats.failed)} failed
            </small>
          </span>
          <span className={styles.side}>
            {stats.success_rate !== null && (
              <Badge tone={stats.success_rate < goodRate ? 'warning' : 'success'}>
                {formatPercent(stats.success_rate, 1)}
              </Badge>
            )}
            {status === 'disabled' && <StatusBadge status={status} />}
          </span>
        </Link>
      ))}
    </ListCard>
  )
}

const warningPercent = 80

export function UsageCard({ query }: Of<'usage'>) {
  const workspaceId = useWorkspaceId()
  const meters = query.data?.meters.filter(({ included }) => included !== null) ?? []
  if (query.data !== undefined && meters.length === 0) return null
  if (!query.isEnabled) return null
  return (
    <Card
      title="Usage of this period"
      actions={
        <Link to="/$workspaceId/usage" params={{ workspaceId }}>
          Details
        </Link>
      }
      isFlush
    >
      <div className={styles.meters}>
        {query.isLoading && <Skeleton width="80%" />}
        {query.error && <ErrorMessage error={query.error} />}
        {meters
          .toSorted((left, right) => (right.percent ?? 0) - (left.percent ?? 0))
          .slice(0, 4)
          .map(({ meter, quantity, included, percent }) => (
            <Progress
              key={meter}
              label={formatName(meter)}
              value={(percent ?? 0) / 100}
              text={`${formatCompact(quantity)} of ${formatCompact(included ?? 0)}`}
              tone={(percent ?? 0) >= 100 ? 'danger' : (percent ?? 0) >= warningPercent ? 'warning' : 'accent'}
            />
          ))}
      </div>
    </Card>
  )
}
