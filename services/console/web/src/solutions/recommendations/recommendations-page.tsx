import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink, Link } from '../../ui/button/button-link.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { formatAmount } from '../../ui/format/format.ts'
import { EmptyState, ErrorMessage, NoMatch, Skeleton } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { bySaving, kindName, type Recommendation } from './read-figures.ts'
import { RecommendationCard } from './recommendation-card.tsx'
import styles from './recommendations.module.css'
import { type Decision, useDecisions } from './use-decisions.ts'

const route = getRouteApi('/$workspaceId/recommendations')
const kinds = ['consolidation', 'capacity_alert', 'service_level'] as const
const pageSize = 50

/** The recommendations that forecasts have made. Open ones are shown unless the address says otherwise. */
export function RecommendationsPage() {
  const { status = 'open', kind, run, cursor } = route.useSearch()
  const { data, error, refetch } = useApiQuery(
    ['recommendations', 'list', { status, kind, run, cursor }],
    (api, options) =>
      api.solutions.listRecommendations(
        {
          query: {
            limit: pageSize,
            status: status === 'all' ? undefined : status,
            kind,
            forecast_run_id: run,
            cursor,
          },
        },
        options,
      ),
  )
  const decisions = useDecisions()
  const shown = data?.items.filter((item) => !decisions.pending.has(item.id)).toSorted(bySaving)
  return (
    <Page title="Recommendations" description={shown && savingText(shown)}>
      <Card isFlush>
        <ListFilters filters={filters} also={['run']}>
          {run !== undefined && (
            <span>
              Of one{' '}
              <Link to="/$workspaceId/forecasts/$runId" params={{ runId: run }}>
                forecast
              </Link>
            </span>
          )}
        </ListFilters>
      </Card>
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : shown === undefined ? (
        <Loading />
      ) : shown.length === 0 ? (
        <Empty isFiltered={status !== 'open' || kind !== undefined || run !== undefined || cursor !== undefined} />
      ) : (
        <RecommendationList key={`${status} ${kind} ${run} ${cursor}`} items={shown} decide={decisions.decide} />
      )}
      {data && <Pager nextCursor={data.nextCursor} shown={data.items.length} noun="recommendations" />}
    </Page>
  )
}

/** Adds up what open recommendations save, by currency. Those without a saving are not known to save nothing. */
function savingText(items: readonly Recommendation[]): string {
  const totals = new Map<string, number>()
  for (const { saving, status } of items)
    if (saving !== null && status === 'open')
      totals.set(saving.currency, (totals.get(saving.currency) ?? 0) + saving.amount)
  const amounts = [...totals].map(([currency, amount]) => formatAmount(amount, currency))
  return amounts.length === 0
    ? 'What forecasts and scenarios suggest: space to close, days that may be full, service to plan.'
    : `What is shown here and still open would save about ${amounts.join(' and ')} a year.`
}

const filters = [
  { name: 'status', label: 'Status', all: 'Open', options: ['accepted', 'dismissed', { value: 'all', label: 'All' }] },
  { name: 'kind', label: 'Kind', options: kinds.map((value) => ({ value, label: kindName(value) })) },
] as const

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Card>
        <NoMatch title="No recommendation matches" />
      </Card>
    )
  return (
    <Card>
      <EmptyState
        icon="bolt"
        title="No open recommendations"
        actions={
          <ButtonLink variant="primary" to="/$workspaceId/forecasts/new">
            New forecast
          </ButtonLink>
        }
      >
        Forecasts of teams find floors that can be closed, and what that saves. Forecasts of files with capacities find
        days that may be full.
      </EmptyState>
    </Card>
  )
}

const Loading = () => (
  <div className="stack-4" role="status" aria-label="Loading recommendations">
    {['first', 'second', 'third'].map((key) => (
      <Card key={key}>
        <Skeleton width="45%" />
        <Skeleton height="4rem" />
      </Card>
    ))}
  </div>
)

/** Recommendations with their decisions, one by one or several at once. */
function RecommendationList({
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
      <div className="stack-4">
        {items.map((item) => (
          <RecommendationCard
            key={item.id}
            recommendation={item}
            selection={{ isSelected: selected.includes(item.id), onSelect: () => toggle(item.id) }}
            onDecide={(decision) => decide([item.id], decision)}
          />
        ))}
      </div>
    </>
  )
}
