import type { BillingSubscription, Plan } from '@wp/contracts'
import { Button } from '../../ui/button/button.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { formatMoney } from '../../ui/format/format.ts'
import styles from '../usage.module.css'
import { describeSeats } from './plan-change.ts'

/** The plans beside each other, with a button to change to each. */
export const PlanCards = ({
  plans,
  current,
  subscription: { pending_change: pending },
  canChange,
  onChange,
}: {
  plans: readonly Plan[]
  current: Plan
  subscription: BillingSubscription
  canChange: boolean
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
            <Button
              disabled={!canChange}
              title={canChange ? undefined : 'Needs the scope billing:write'}
              onClick={() => onChange(plan.id)}
            >
              Change to {plan.name}
            </Button>
          </div>
        )}
      </section>
    ))}
  </div>
)
