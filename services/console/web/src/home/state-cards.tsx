import { Link } from '../ui/button/button-link.tsx'
import { formatAmount, formatCompact, formatCount, formatPercent } from '../ui/format/format.ts'
import { useSentence } from '../ui/format/format-time.ts'
import { Badge, StatusBadge, Time } from '../ui/values/values.tsx'
import { nameOfSubscription } from '../webhooks/shared/subscription-name.ts'
import styles from './home.module.css'
import { ListCard } from './list-card.tsx'
import type { CardQuery } from './workspace-state.ts'

const shown = 5

export function RecommendationsCard({ query }: CardQuery<'recommendations'>) {
  const sentence = useSentence()
  return (
    <ListCard
      title="Recommendations"
      query={query}
      none="Nothing is recommended now. Each forecast looks for floors that can close and days that get too full."
      all={<Link to="/$workspaceId/recommendations">All recommendations</Link>}
    >
      {query.data?.items.map(({ id, title, saving, warnings, created_at }) => (
        <Link key={id} className={styles.row} to="/$workspaceId/recommendations">
          <span>
            {sentence(title)}
            <small>
              <Time value={created_at} />
              {warnings?.[0] && `. ${sentence(warnings[0])}`}
            </small>
          </span>
          {saving && <span className={styles.side}>{formatAmount(saving.amount, saving.currency)} a year</span>}
        </Link>
      ))}
    </ListCard>
  )
}

export function FilesCard({ query }: CardQuery<'sources'>) {
  return (
    <ListCard
      title="Your data"
      query={query}
      none="There is no data yet."
      all={<Link to="/$workspaceId/data">All data</Link>}
    >
      {query.data?.items.slice(0, shown).map(({ data_source_id, name, status, record_count, last_synced_at }) => (
        <Link
          key={data_source_id}
          className={styles.row}
          to="/$workspaceId/data/$sourceId"
          params={{ sourceId: data_source_id }}
        >
          <span>
            {name}
            <small>
              {formatCount(record_count, 'row')}
              {last_synced_at && (
                <>
                  {' · updated '}
                  <Time value={last_synced_at} />
                </>
              )}
            </small>
          </span>
          {status !== 'active' && <StatusBadge status={status} />}
        </Link>
      ))}
    </ListCard>
  )
}

const goodRate = 0.99

export function WebhooksCard({ query }: CardQuery<'webhooks'>) {
  // Those that need attention come first.
  const order = ({ status, stats }: { status: string; stats: { success_rate: number | null } }) =>
    status === 'disabled' ? 0 : (stats.success_rate ?? 1) < goodRate ? 1 : 2
  const webhooks = query.data?.items.toSorted((left, right) => order(left) - order(right)).slice(0, shown)
  return (
    <ListCard
      title="Webhooks"
      query={query}
      none="No webhook is registered."
      all={<Link to="/$workspaceId/webhooks">All webhooks</Link>}
    >
      {webhooks?.map(({ webhook_id, endpoint, description, status, stats }) => (
        <Link
          key={webhook_id}
          className={styles.row}
          to="/$workspaceId/webhooks/$webhookId"
          params={{ webhookId: webhook_id }}
        >
          <span>
            {nameOfSubscription({ webhook_id, endpoint, description })}
            <small>
              {formatCompact(stats.delivered)} delivered, {formatCompact(stats.failed)} failed
            </small>
          </span>
          <span className={styles.side}>
            {stats.success_rate !== null && (
              <Badge tone={stats.success_rate < goodRate ? 'warning' : 'neutral'}>
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
