import { Link } from '@tanstack/react-router'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Progress } from '../ui/data/progress.tsx'
import { formatCompact, formatName } from '../ui/format/format.ts'
import { ErrorMessage } from '../ui/message/error-message.tsx'
import { Card } from '../ui/page/page.tsx'
import styles from './checklist.module.css'
import type { CardQuery } from './use-workspace-state.ts'

const warningPercent = 80

export function UsageCard({ query }: CardQuery<'usage'>) {
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
