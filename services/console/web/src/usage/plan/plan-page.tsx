import { getRouteApi } from '@tanstack/react-router'
import type { BillingSubscription, Plan } from '@wp/contracts'
import { changeSearch } from '../../api/search-params.ts'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useApiQuery, useCan, useRefresh } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { formatMoney } from '../../ui/format/format.ts'
import { Callout, Unloaded } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page } from '../../ui/page/page.tsx'
import { Badge } from '../../ui/values/values.tsx'
import styles from '../usage.module.css'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { describeSeats } from './plan-change.ts'
import { PlanComparison } from './plan-comparison.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

const route = getRouteApi('/$workspaceId/usage/plan')

/** The plan of the workspace, the others, and the change to one. */
export function PlanPage() {
  const search = route.useSearch()
  const { change } = search
  const navigate = route.useNavigate()
  const canChange = useCan()('billing:write')
  const refresh = useRefresh()
  const { data, error, refetch } = useApiQuery(['usage', 'plan'], async (api, options) => {
    const [subscription, plans, usage] = await Promise.all([
      api.billing.getSubscription({}, options),
      api.billing.listPlans({ query: { limit: 100 } }, options),
      api.system.usage({}, options),
    ])
    return { subscription, plans: plans.items, quotas: usage.quotas }
  })
  const choose = (planId: string | undefined) =>
    void navigate({ search: changeSearch(search, { change: planId }), resetScroll: false })
  const changed = async (message: string) => {
    await refresh('usage')
    showSuccess(message)
  }
  const current = data && currentPlan(data.plans, data.subscription)
  const next = data?.plans.find(({ id }) => id === change)
  return (
    <Page title="Usage" description="What the workspace may use, and what it costs.">
      <AreaTabs area="Usage" />
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="20rem" />
      ) : current === undefined ? (
        <Callout tone="warning" title={`The plan ${data.subscription.plan} is not offered any more`} />
      ) : (
        <>
          <SubscriptionCard {...data} current={current} canChange={canChange} onChange={choose} onChanged={changed} />
          <PlanCards {...data} current={current} onChange={choose} />
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

/** The plans beside each other, with a button to change to each. */
const PlanCards = ({
  plans,
  current,
  subscription: { pending_change: pending },
  onChange,
}: {
  plans: readonly Plan[]
  current: Plan
  subscription: BillingSubscription
  onChange: (planId: string) => void
}) => (
  <div className={styles.plans}>
    {plans.map((plan) => (
      <section key={plan.id} className={styles.plan} data-current={plan.id === current.id} aria-label={plan.name}>
        <div className={styles.planHead}>
          <h2>{plan.name}</h2>
          {plan.id === current.id && <Badge tone="accent">Current plan</Badge>}
          {plan.id === pending?.plan_id && plan.id !== current.id && <Badge tone="running">Next period</Badge>}
        </div>
        <div className={styles.price}>
          {formatMoney(plan.price_minor, plan.currency)} <span>a month</span>
        </div>
        <p>{plan.description}</p>
        <p>
          {describeSeats(plan)}
          {plan.seat_price_minor > 0 && `, ${formatMoney(plan.seat_price_minor, plan.currency)} for each further one`}.
        </p>
        {plan.id !== current.id && (
          <div className={styles.planAction}>
            <ScopedButton scope="billing:write" onClick={() => onChange(plan.id)}>
              Change to {plan.name}
            </ScopedButton>
          </div>
        )}
      </section>
    ))}
  </div>
)
