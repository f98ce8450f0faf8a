import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../session/session.ts'
import { useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Skeleton } from '../ui/message/skeleton.tsx'
import { Card, Columns, Page } from '../ui/page/page.tsx'
import { SetupCard } from './setup-card.tsx'
import { setupSteps } from './setup-checklist.ts'
import { ForecastsCard, RecommendationsCard, SourcesCard } from './state-cards.tsx'
import { UsageCard } from './usage-card.tsx'
import { useWorkspaceState } from './use-workspace-state.ts'
import { WebhooksCard } from './webhooks-card.tsx'

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
