import { type Plan, quotas } from '@wp/contracts'
import type { ReactNode } from 'react'
import { formatBytes, formatCompact, formatCount, formatMoney, formatNumber } from '../../ui/format/format.ts'
import { meterNames, usageMeters } from '../choices.ts'
import { nameOfQuota } from '../quota-limits.ts'
import styles from '../usage.module.css'

/** Compares the plans, row by row. */
export function PlanComparison({ plans, current }: { plans: readonly Plan[]; current: Plan }) {
  const rows: readonly (readonly [name: string, value: (plan: Plan) => ReactNode])[] = [
    ...usageMeters.map((meter) => [meterNames[meter], (plan: Plan) => describeMeter(plan, meter)] as const),
    ['Most seats', ({ limits }) => formatNumber(limits.seats)],
    ...namedQuotas(plans).map((quota) => [nameOfQuota(quota), (plan: Plan) => describeQuota(plan, quota)] as const),
    ['Requests a minute of a credential', ({ limits }) => formatNumber(limits.credential_per_minute)],
    ['Audit log is kept', ({ limits }) => formatCount(limits.audit_retention_days, 'day')],
  ]
  return (
    <section className={styles.compare} aria-label="Plans side by side" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Each month</th>
            {plans.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
                {id === current.id && ' (current)'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {plans.map((plan) => (
                <td key={plan.id}>{value(plan)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The quotas in which plans differ from the default. */
const namedQuotas = (plans: readonly Plan[]) => {
  const names = new Set(plans.flatMap(({ limits }) => Object.keys(limits.quotas)))
  return (Object.keys(quotas) as (keyof typeof quotas)[]).filter((name) => names.has(name)) // the declared names
}

function describeQuota({ limits }: Plan, quota: keyof typeof quotas): string {
  const { limit, unit } = quotas[quota]
  return (unit === 'bytes' ? formatBytes : formatNumber)(limits.quotas[quota] ?? limit)
}

function describeMeter({ meters, currency }: Plan, meter: (typeof usageMeters)[number]): ReactNode {
  const entry = meters.find((candidate) => candidate.meter === meter)
  if (entry === undefined) return '–'
  const { included, at_limit: atLimit, price_minor: price, unit } = entry
  if (included === null) return 'Unlimited'
  return (
    <>
      {formatCompact(included)}
      <small>
        {atLimit === 'refuse'
          ? 'then refused'
          : price === 0
            ? 'then free'
            : `then ${formatMoney(price, currency)} for ${formatCompact(unit)}`}
      </small>
    </>
  )
}
