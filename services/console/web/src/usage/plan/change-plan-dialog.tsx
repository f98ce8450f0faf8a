import type { BillingSubscription, ChangeTime, Plan, UsageEntry } from '@wp/contracts'
import { useState } from 'react'
import { useApi } from '../../session/workspace-context.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Radio } from '../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../ui/form/field.tsx'
import { NumberInput } from '../../ui/form/number-input.tsx'
import { formatCount, formatMoney } from '../../ui/format/format.ts'
import { Stack } from '../../ui/page/page.tsx'
import { Time } from '../../ui/values/values.tsx'
import { meterNames } from '../choices.ts'
import styles from '../usage.module.css'
import { defaultChangeTime, defaultSeats, exceededLimits, monthlyPrice, newlyRefused } from './plan-change.ts'

/** Changes the plan or its seats, after saying what that means. */
export function ChangePlanDialog({
  subscription,
  quotas,
  current,
  next,
  onClose,
  onChanged,
}: {
  subscription: BillingSubscription
  quotas: readonly UsageEntry[]
  current: Plan
  next: Plan
  onClose: () => void
  onChanged: (message: string) => Promise<void>
}) {
  const api = useApi()
  const used = quotas.find(({ quota }) => quota === 'seats')?.current ?? 1
  const [typedSeats, setSeats] = useState<number | undefined>(() => defaultSeats(current, subscription, next, used))
  const [chosenTime, setChosenTime] = useState<ChangeTime>()
  const leastSeats = Math.max(next.included_seats, used)
  const seats = typedSeats ?? leastSeats
  const time = chosenTime ?? defaultChangeTime(current, subscription.seats, next, seats)
  const isSamePlan = next.id === current.id
  const what = isSamePlan ? formatCount(seats, 'seat') : next.name
  const change = async () => {
    await api.billing.updateSubscription({ body: { ...(!isSamePlan && { plan_id: next.id }), seats, effective: time } })
    await onChanged(time === 'now' ? `Changed to ${what}` : `Changes to ${what} at the end of the period`)
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isSamePlan ? 'Change the seats' : `Change to ${next.name}`}
      confirmLabel={isSamePlan ? `Change to ${what}` : `Change to ${next.name}`}
      isDangerous={false}
      isDisabled={typedSeats === undefined || !Number.isInteger(seats)}
      onConfirm={change}
    >
      <Stack>
        <Field
          label="Seats"
          hint={`From ${leastSeats} to ${next.limits.seats}; ${used} are in use and ${next.included_seats} are included.`}
        >
          <NumberInput min={leastSeats} max={next.limits.seats ?? undefined} value={typedSeats} onChange={setSeats} />
        </Field>
        <FieldGroup label="Takes effect">
          {(['now', 'period_end'] as const).map((value) => (
            <Radio
              key={value}
              name="effective"
              checked={time === value}
              onChange={() => setChosenTime(value)}
              label={value === 'now' ? 'Now' : 'At the end of the period'}
              hint={
                value === 'now' ? (
                  'The rest of this period is charged at the new price, by the second.'
                ) : (
                  <Time value={subscription.current_period_end} format="absolute" />
                )
              }
            />
          ))}
        </FieldGroup>
        <Consequences subscription={subscription} quotas={quotas} current={current} next={next} seats={seats} />
      </Stack>
    </ConfirmDialog>
  )
}

function Consequences({
  subscription,
  quotas,
  current,
  next,
  seats,
}: {
  subscription: BillingSubscription
  quotas: readonly UsageEntry[]
  current: Plan
  next: Plan
  seats: number
}) {
  const exceeded = exceededLimits(next, quotas)
  const refused = newlyRefused(current, next)
  const [before, after] = [monthlyPrice(current, subscription.seats), monthlyPrice(next, seats)]
  return (
    <section aria-label="What happens" aria-live="polite">
      <h3>What happens</h3>
      <ul className={styles.consequences}>
        <li>
          The month costs <strong>{formatMoney(after, next.currency)}</strong> instead of{' '}
          {formatMoney(before, current.currency)}, without further use.
        </li>
        {subscription.pending_change && <li>The change that waits for the end of the period is replaced.</li>}
        {refused.length > 0 && (
          <li>Use beyond what is included is refused: {refused.map((meter) => meterNames[meter]).join(', ')}.</li>
        )}
        {next.limits.audit_retention_days < current.limits.audit_retention_days && (
          <li>Audit records are kept for {formatCount(next.limits.audit_retention_days, 'day')}.</li>
        )}
        {exceeded.map((text) => (
          <li key={text}>{text}. What exists stays, but nothing can be added.</li>
        ))}
      </ul>
    </section>
  )
}
