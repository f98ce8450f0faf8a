import { Link } from '@tanstack/react-router'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Badge, StatusBadge } from '../ui/data/badge.tsx'
import { formatCompact, formatPercent } from '../ui/format/format.ts'
import styles from './checklist.module.css'
import { ListCard } from './list-card.tsx'
import type { CardQuery } from './use-workspace-state.ts'

const maxWebhooks = 5
const goodRate = 0.99

export function WebhooksCard({ query }: CardQuery<'webhooks'>) {
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
