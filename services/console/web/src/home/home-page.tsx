import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../session/session.ts'
import { useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { formatCompact, formatName, formatPercent } from '../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card, Columns, Page } from '../ui/page/page.tsx'
import { Progress } from '../ui/values/progress.tsx'
import { Badge, StatusBadge } from '../ui/values/values.tsx'
import styles from './checklist.module.css'
import { ListCard } from './list-card.tsx'
import { SetupCard } from './setup-card.tsx'
import { setupSteps } from './setup-checklist.ts'
import { ForecastsCard, RecommendationsCard, SourcesCard } from './state-cards.tsx'
import { type CardQuery, useWorkspaceState } from './workspace-state.ts'

/** The first page of a workspace: the set-up until it is done, then the state of things. */
export function HomePage() {
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const { data: session } = useQuery(sessionQuery)
  const state = useWorkspaceState()
  const { sources, webhooks, runs, keys, principals } = state
  // Cards of different heights that appear one after another would move each other.
  const isLoading = Object.values(state).some((query) => query.isLoading)
  const steps = setupSteps({
    hasRecords: sources.data?.items.some(({ record_count }) => record_count > 0) ?? false,
    hasCredential: (keys.data?.items.length ?? 0) + (principals.data?.items.length ?? 0) > 0,
    hasWebhook: (webhooks.data?.items.length ?? 0) > 0,
    hasForecast: runs.data?.items.some(({ status }) => status === 'finished') ?? false,
  }).filter(({ scope }) => can(scope))
  const name = session?.authenticated
    ? session.user.workspaces.find(({ workspace_id }) => workspace_id === workspaceId)?.name
    : undefined
  return (
    <Page
      title={name ?? 'Home'}
      description="What happens in this workspace, and what needs attention."
      actions={
        can('data:write') && (
          <ButtonLink to="/$workspaceId/data/new" params={{ workspaceId }} variant="primary">
            Add data
          </ButtonLink>
        )
      }
    >
      {isLoading ? (
        <LoadingCards />
      ) : (
        <>
          {steps.some(({ isDone }) => !isDone) && <SetupCard steps={steps} />}
          <Columns>
            <ForecastsCard query={state.runs} />
            <RecommendationsCard query={state.recommendations} />
            <SourcesCard query={state.sources} />
            <WebhooksCard query={state.webhooks} />
          </Columns>
          <UsageCard query={state.usage} />
        </>
      )}
    </Page>
  )
}

const loadingCards = ['first', 'second', 'third', 'fourth']

const LoadingCards = () => (
  <div role="status" aria-label="Loading the state of the workspace">
    <Columns>
      {loadingCards.map((key) => (
        <Card key={key}>
          <Skeleton height="6rem" />
        </Card>
      ))}
    </Columns>
  </div>
)

const warningPercent = 80

function UsageCard({ query }: CardQuery<'usage'>) {
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

const maxWebhooks = 5
const goodRate = 0.99

function WebhooksCard({ query }: CardQuery<'webhooks'>) {
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
