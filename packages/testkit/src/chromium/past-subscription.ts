import type { BrowserFleet } from './browser-fleet.ts'

/** More than a month and the grace window in which late use still counts. */
const ageDays = 40

/**
 * Subscribes the first workspace to the plan `team`, and moves that and daily use into the past: the first month has an
 * invoice, which billing issues within a minute, and the second a draft.
 *
 * @returns the id of the invoice of the first month, which is that of its draft too
 */
export async function subscribeInThePast({ api, query, workspaceId }: BrowserFleet): Promise<string> {
  const plans: { id: string; code: string }[] = await api('GET', '/v1/billing/plans')
  const plan = plans.find(({ code }) => code === 'team')
  await api('PATCH', '/v1/billing/subscription', { plan_id: plan?.id, effective: 'now' })
  const age = `interval '${ageDays} days'`
  const change = (text: string) => query('billing', text, [workspaceId])
  await change(
    `INSERT INTO usage_totals (workspace_id, meter, hour, quantity)
       SELECT $1, 'api_calls', date_trunc('hour', now()) - day * interval '1 day', 9000 + 700 * (day % 7)
         FROM generate_series(1, ${ageDays - 1}) AS day`,
  )
  await change(`UPDATE subscriptions SET anchor_at = anchor_at - ${age} WHERE workspace_id = $1`)
  await change(
    `UPDATE plan_changes SET occurred_at = occurred_at - ${age}, anchor_at = anchor_at - ${age} WHERE workspace_id = $1`,
  )
  await change('UPDATE invoice_schedules SET due_at = now() WHERE workspace_id = $1')
  const invoices: { id: string }[] = await api('GET', '/v1/billing/invoices')
  const first = invoices.at(-1)
  if (first === undefined) throw new Error('the subscription has no invoice')
  return first.id
}
