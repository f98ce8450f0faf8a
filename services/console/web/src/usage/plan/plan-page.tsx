import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BillingSubscription, Plan } from '@wp/contracts'
import { changeSearch } from '../../api/search-params.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Callout } from '../../ui/message/callout.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Skeleton } from '../../ui/message/skeleton.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page } from '../../ui/page/page.tsx'
import { UsageTabs } from '../usage-tabs.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { PlanCards } from './plan-cards.tsx'
import { PlanComparison } from './plan-comparison.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

const route = getRouteApi('/$workspaceId/usage/plan')

/** The plan of the workspace, the others, and the change to one. */
export function PlanPage() {
  const search = route.useSearch()
  const { change } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canChange = useCan()('billing:write')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'usage', 'plan'],
    queryFn: async ({ signal }) => {
      const [subscription, plans, usage] = await Promise.all([
        api.billing.getSubscription({}, { signal }),
        api.billing.listPlans({ query: { limit: 100 } }, { signal }),
        api.system.usage({}, { signal }),
      ])
      return { subscription, plans: plans.items, quotas: usage.quotas }
    },
  })
  const choose = (planId: string | undefined) =>
    void navigate({ search: changeSearch(search, { change: planId }), resetScroll: false })
  const changed = async (message: string) => {
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'usage'] })
    showSuccess(message)
  }
  const current = data && currentPlan(data.plans, data.subscription)
  const next = data?.plans.find(({ id }) => id === change)
  return (
    <Page title="Usage" description="What the workspace may use, and what it costs.">
      <UsageTabs />
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height="20rem" />
      ) : current === undefined ? (
        <Callout tone="warning" title={`The plan ${data.subscription.plan} is not offered any more`} />
      ) : (
        <>
          <SubscriptionCard {...data} current={current} canChange={canChange} onChange={choose} onChanged={changed} />
          <PlanCards {...data} current={current} canChange={canChange} onChange={choose} />
          <Card title="Compare the plans" isFlush>
            <PlanComparison plans={data.plans} current={current} />
          </Card>
          {next && canChange && (
            <ChangePlanDialog
              key={next.id}
              {...data}
              current={current}
              next={next}
              onClose={() => choose(undefined)}
              onChanged={changed}
            />
          )}
        </>
      )}
    </Page>
  )
}

const currentPlan = (plans: readonly Plan[], { plan_id }: BillingSubscription): Plan | undefined =>
  plans.find(({ id }) => id === plan_id)
