import type { BillingSubscription, Plan, UsageEntry } from '@wp/contracts'
import { useState } from 'react'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useApi } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount, formatMoney } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { DefinitionList, StatusBadge, Time } from '../../ui/values/values.tsx'
import { PeriodText } from '../period-text.tsx'
import { monthlyPrice } from './plan-change.ts'

/** The state of the subscription, and a change that is due. */
export function SubscriptionCard({
  subscription,
  plans,
  quotas,
  current,
  canChange,
  onChange,
  onChanged,
}: {
  subscription: BillingSubscription
  plans: readonly Plan[]
  quotas: readonly UsageEntry[]
  current: Plan
  canChange: boolean
  onChange: (planId: string) => void
  onChanged: (message: string) => Promise<void>
}) {
  const api = useApi()
  const [isWithdrawing, setWithdrawing] = useState(false)
  const { seats, status, current_period_start: start, current_period_end: end, pending_change: pending } = subscription
  const used = quotas.find(({ quota }) => quota === 'seats')?.current
  const pendingPlan = plans.find(({ id }) => id === pending?.plan_id)?.name ?? pending?.plan
  const withdraw = async () => {
    await api.billing.updateSubscription({ body: { pending_change: null } })
    await onChanged('The change was withdrawn')
  }
  return (
    <Card
      title={`${current.name} plan`}
      description={current.description}
      actions={
        <>
          {pending && canChange && <Button onClick={() => setWithdrawing(true)}>Withdraw the change</Button>}
          <ScopedButton scope="billing:write" onClick={() => onChange(current.id)}>
            Change seats
          </ScopedButton>
        </>
      }
    >
      <Stack>
        {pending && (
          <Callout title={`Changes to ${pendingPlan} with ${formatCount(pending.seats, 'seat')}`}>
            On <Time value={pending.effective_at} format="absolute" />. Until then everything stays as it is.
          </Callout>
        )}
        <DefinitionList
          items={[
            ['Status', <StatusBadge key="status" status={status} />],
            ['Price', `${formatMoney(monthlyPrice(current, seats), current.currency)} a month`],
            ['Seats', `${seats}${used === null || used === undefined ? '' : `, of which ${used} are in use`}`],
            ['Period', <PeriodText key="period" start={start} end={end} />],
          ]}
        />
      </Stack>
      <ConfirmDialog
        isOpen={isWithdrawing}
        onClose={() => setWithdrawing(false)}
        title="Withdraw the change"
        confirmLabel="Withdraw the change"
        onConfirm={withdraw}
      >
        <p>
          The workspace keeps the plan {current.name} with {formatCount(seats, 'seat')} after the end of the period.
        </p>
      </ConfirmDialog>
    </Card>
  )
}
