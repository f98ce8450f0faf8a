import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { FilterBar, SelectFilter } from '../../ui/filter-bar.tsx'
import { formatCount } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { kindName, type Recommendation } from './read-figures.ts'
import { RecommendationCard } from './recommendation-card.tsx'
import styles from './recommendations.module.css'
import { type Decision, useDecisions } from './use-decisions.ts'

const route = getRouteApi('/$workspaceId/recommendations')
const kinds = ['consolidation', 'capacity_alert', 'service_level'] as const
const pageSize = 50

/** The recommendations that forecasts have made. Open ones are shown unless the address says otherwise. */
export function RecommendationsPage() {
  const { status = 'open', kind, run, cursor } = route.useSearch()
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'recommendations', 'list', { status, run, cursor }],
    queryFn: ({ signal }) =>
      api.solutions.listRecommendations(
        {
          query: {
            limit: pageSize,
            ...(status !== 'all' && { status }),
            ...(run !== undefined && { forecast_run_id: run }),
            ...(cursor !== undefined && { cursor }),
          },
        },
        { signal },
      ),
  })
  const decisions = useDecisions()
  const shown = data?.items.filter((item) => !decisions.pending.has(item.id) && (!kind || item.kind === kind))
  return (
    <Page
      title="Recommendations"
      description="What the forecasts suggest: space to close, days that may be full, service to plan. Later runs refresh an open recommendation."
    >
      <Card isFlush>
        <Filters />
        {kind !== undefined && data && data.nextCursor !== null && (
          <p style={{ padding: 'var(--space-2) var(--space-4)' }}>
            {formatCount(shown?.length ?? 0, 'recommendation')} of this kind among the {data.items.length} of this page.
          </p>
        )}
      </Card>
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : shown === undefined ? (
        <Loading />
      ) : shown.length === 0 ? (
        <Empty isFiltered={status !== 'open' || kind !== undefined || run !== undefined || cursor !== undefined} />
      ) : (
        <List key={`${status} ${kind} ${run} ${cursor}`} items={shown} decide={decisions.decide} />
      )}
      {data && <Pager cursor={cursor} nextCursor={data.nextCursor} shown={data.items.length} noun="recommendations" />}
    </Page>
  )
}

function Filters() {
  const search = route.useSearch()
  const { status, kind, run } = search
  const workspaceId = useWorkspaceId()
  const navigate = route.useNavigate()
  const set = (name: 'status' | 'kind') => (value: string | undefined) => {
    const { [name]: _old, cursor: _cursor, ...others } = search
    // The filter offers values of the search parameter only.
    void navigate({ search: value === undefined ? others : { ...others, [name]: value }, replace: true })
  }
  const isFiltered = status !== undefined || kind !== undefined || run !== undefined
  return (
    <FilterBar onClear={isFiltered ? () => void navigate({ to: '.', search: {} }) : undefined}>
      <SelectFilter
        label="Status"
        value={status}
        onChange={set('status')}
        all="Open"
        options={['accepted', 'dismissed', { value: 'all', label: 'All' }]}
      />
      <SelectFilter
        label="Kind"
        value={kind}
        onChange={set('kind')}
        options={kinds.map((value) => ({ value, label: kindName(value) }))}
      />
      {run !== undefined && (
        <span>
          Of one{' '}
          <Link to="/$workspaceId/forecasts/$runId" params={{ workspaceId, runId: run }} search={{}}>
            forecast
          </Link>
        </span>
      )}
    </FilterBar>
  )
}

function List({
  items,
  decide,
}: {
  items: readonly Recommendation[]
  decide: (ids: readonly string[], decision: Decision) => void
}) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const can = useCan()
  const open = items.filter(({ status }) => status === 'open').map(({ id }) => id)
  const selected = open.filter((id) => keys.has(id))
  const toggle = (id: string) => setKeys(new Set(keys.has(id) ? [...keys].filter((key) => key !== id) : [...keys, id]))
  const decideSelected = (decision: Decision) => {
    decide(selected, decision)
    setKeys(new Set())
  }
  return (
    <>
      {open.length > 0 && can('solutions:run') && (
        <section className={styles.toolbar} aria-label="Several recommendations">
          <label>
            <input
              type="checkbox"
              checked={selected.length === open.length}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && selected.length < open.length
              }}
              onChange={() => setKeys(new Set(selected.length === open.length ? [] : open))}
            />
            {selected.length === 0 ? `Select all ${open.length} open` : `${selected.length} of ${open.length} selected`}
          </label>
          {selected.length > 0 && (
            <>
              <Button size="small" variant="primary" onClick={() => decideSelected('accepted')}>
                Accept {selected.length}
              </Button>
              <Button size="small" onClick={() => decideSelected('dismissed')}>
                Dismiss {selected.length}
              </Button>
            </>
          )}
        </section>
      )}
      <div className={styles.grid}>
        {items.map((item) => (
          <RecommendationCard
            key={item.id}
            recommendation={item}
            isSelected={selected.includes(item.id)}
            onSelect={() => toggle(item.id)}
            onDecide={(decision) => decide([item.id], decision)}
          />
        ))}
      </div>
    </>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const workspaceId = useWorkspaceId()
  const baseUrl = useQuery(sessionQuery).data?.public_base_url ?? location.origin
  if (isFiltered)
    return (
      <Card>
        <EmptyState icon="filter" title="No recommendation matches">
          Change or clear the filters.
        </EmptyState>
      </Card>
    )
  return (
    <Card>
      <EmptyState
        icon="bolt"
        title="No open recommendations"
        actions={
          <ButtonLink variant="primary" to="/$workspaceId/forecasts/new" params={{ workspaceId }} search={{}}>
            New forecast
          </ButtonLink>
        }
        snippet={
          <CodeBlock
            label="List recommendations"
            code={`curl ${baseUrl}/v1/solutions/workplace/recommendations \\\n  -H "x-api-key: $API_KEY"`}
          />
        }
      >
        Forecasts by hour or day, with groups and capacities, find space that can be closed and days that may be full.
      </EmptyState>
    </Card>
  )
}

const Loading = () => (
  <div className={styles.grid} role="status" aria-label="Loading recommendations">
    {['first', 'second', 'third'].map((key) => (
      <Card key={key}>
        <Skeleton width="45%" />
        <Skeleton height="4rem" />
      </Card>
    ))}
  </div>
)
