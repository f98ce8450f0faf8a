import { afterAll, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import fc from 'fast-check'
import { invoicePeriods } from '../../src/invoices/billing-periods.ts'
import { calculateInvoice } from '../../src/invoices/calculate-invoice.ts'
import { plans } from '../../src/plans.ts'
import { startUsageHarness, usageEvent } from '../fixture/usage-harness.ts'
import { addUp, type EventLog, eventLogs } from './event-log.ts'

const billing = await startUsageHarness()
afterAll(() => billing.stop())

/** Records the changes of a log in an order. Without a subscription, nothing issues the invoices. */
async function recordChanges(workspaceId: string, changes: EventLog['changes']): Promise<void> {
  for (const { occurredAt, anchorAt, from, to } of changes)
    await billing.sql(
      `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, from_seats, to_plan, to_seats, anchor_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [workspaceId, occurredAt, from.plan, from.seats, to.plan, to.seats, anchorAt],
    )
}

const toEvents = (workspaceId: string, { usage }: EventLog) =>
  usage.map(({ meter, quantity, at }) => usageEvent(workspaceId, meter, { quantity, occurredAt: at.toISOString() }))

const waitForTotal = (workspaceId: string, total: number) =>
  eventually(async () => {
    const [row] = await billing.sql<{ total: number | null }>(
      'SELECT sum(quantity)::float8 AS total FROM usage_totals WHERE workspace_id = $1',
      [workspaceId],
    )
    return (row?.total ?? 0) === total
  })

async function readOldestDraft(workspaceId: string) {
  const { body } = await billing.request('GET', '/v1/billing/invoices', { caller: { workspaceId } })
  const { lines, subtotal_minor, total_minor } = body.data.at(-1)
  return { lines, subtotal_minor, total_minor }
}

it('calculates the same invoice when the events arrive once in order, or twice in another order', async () => {
  const [log] = fc
    .sample(eventLogs(plans), { seed: 20261122, numRuns: 60 })
    .toSorted((a, b) => b.usage.length + 3 * b.changes.length - a.usage.length - 3 * a.changes.length)
  if (log === undefined) throw new Error('there is no log')
  const total = log.usage.reduce((sum, { quantity }) => sum + quantity, 0)
  const [once, twice, last] = [newId('ws'), newId('ws'), newId('ws')]
  await recordChanges(once, log.changes)
  await recordChanges(twice, log.changes.toReversed())
  await billing.publish(toEvents(once, log))
  const events = toEvents(twice, log).toReversed()
  await billing.publish(events)
  await billing.publish(events.toReversed())
  // Events are handled in the order of the stream: with this one, all before it have been.
  await billing.publish([usageEvent(last, 'records', { quantity: 1 })])
  await waitForTotal(last, 1)
  await Promise.all([waitForTotal(once, total), waitForTotal(twice, total)])
  const invoice = await readOldestDraft(twice)
  expect(invoice).toEqual(await readOldestDraft(once))
  const [period] = invoicePeriods(log.changes, new Date('2026-02-01'))
  if (period === undefined) throw new Error('there is no period')
  const { lines } = calculateInvoice({
    period,
    changes: log.changes,
    usage: addUp(log.usage),
    plans,
    taxBasisPoints: 0,
  })
  expect(invoice.lines).toEqual(lines)
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['proration', 'seat', 'usage']))
})
