import { useQuery } from '@tanstack/react-query'
import { SampleCard } from '../sample/sample-card.tsx'
import { isSample } from '../sample/sample-names.ts'
import { sessionQuery } from '../session/session.ts'
import { useCan, useIsCallerKnown, useWorkspaceId } from '../session/workspace-context.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Skeleton } from '../ui/message/message.tsx'
import { Card, Columns, Page } from '../ui/page/page.tsx'
import { AttentionStrip } from './attention-strip.tsx'
import styles from './home.module.css'
import { OccupancyCard } from './occupancy/occupancy-card.tsx'
import { useOccupancy } from './occupancy/use-occupancy.ts'
import { PlanCard } from './plan-card.tsx'
import { SetupCard } from './setup/setup-card.tsx'
import { FilesCard, RecommendationsCard, WebhooksCard } from './state-cards.tsx'
import { useWorkspaceState, type WorkspaceState } from './workspace-state.ts'

/** The first page of a workspace: what it is for, until that is set up; then what needs attention and comes next. */
export function HomePage() {
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const { data: session } = useQuery(sessionQuery)
  const state = useWorkspaceState()
  const name = session?.authenticated
    ? session.user.workspaces.find(({ workspace_id }) => workspace_id === workspaceId)?.name
    : undefined
  // These decide which cards there are. Cards that appear one after another would move each other.
  const isDeciding =
    !useIsCallerKnown() ||
    [state.sites, state.sources, state.webhooks, state.plans, state.recommendations].some(({ isLoading }) => isLoading)
  return (
    <Page
      title={name ?? 'Home'}
      description="What comes next, and what needs attention."
      actions={
        can('data:write') && (
          <ButtonLink to="/$workspaceId/data/new" variant="primary">
            Add a file
          </ButtonLink>
        )
      }
    >
      {isDeciding ? <LoadingCards /> : <Cards state={state} />}
    </Page>
  )
}

function Cards({ state }: { state: WorkspaceState }) {
  const can = useCan()
  const { sites, sources, runs, plans, recommendations, webhooks } = state
  const occupancy = useOccupancy(sites.data?.items ?? [], runs)
  const hasSample = sites.data?.items.some(isSample) ?? false
  const hasBuildings = (sites.data?.items.length ?? 0) > 0 || sites.error !== null
  const mayBegin = can('data:write') || can('auth:keys')
  const hasAdvice = hasBuildings || (recommendations.data?.items.length ?? 0) > 0
  const isNew =
    mayBegin && [sites, sources, webhooks].every(({ data, isEnabled }) => !isEnabled || data?.items.length === 0)
  return (
    <>
      {hasSample ? <SampleCard /> : <SetupCard isNew={isNew} state={state} />}
      {!isNew && (
        <>
          <AttentionStrip state={state} occupancy={occupancy} />
          {hasBuildings && (
            <>
              <PlanCard query={plans} />
              <OccupancyCard query={sites} occupancy={occupancy} />
            </>
          )}
          <div className={styles.columns}>
            {hasAdvice && <RecommendationsCard query={recommendations} />}
            <FilesCard query={sources} />
            {!hasAdvice && <WebhooksCard query={webhooks} />}
          </div>
        </>
      )}
    </>
  )
}

const loadingCards = ['first', 'second']

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
