import { type Meter, meters } from '@wp/contracts'
import type { Query } from '@wp/database'
import { plans } from '../plans.ts'
import type { Db } from '../store/client.ts'
import { type PlanChangeRow, readPlanChanges, readUsageTotals, type UsageRow } from '../store/invoice-inputs.ts'
import { readInvoicedUntil } from '../store/invoice-schedules.ts'
import { findInvoiceOfPeriod } from '../store/invoices.ts'
import { type InvoicePeriod, invoicePeriods, type PlanChange, sortChanges } from './billing-periods.ts'
import { type CalculatedInvoice, calculateInvoice, type PreviousInvoice } from './calculate-invoice.ts'
import type { MeterCharge, UsageTotal } from './usage-charges.ts'

/** An invoice that has not been issued. */
export interface DraftInvoice {
  period: InvoicePeriod
  calculated: CalculatedInvoice
}

/** Drafts that are calculated at once. There are two, one of them in its grace window, unless issuing is delayed. */
const maxDrafts = 3

/**
 * Calculates the invoices of a workspace that have not been issued, the oldest first: of periods in their grace window,
 * and of the current one with its use so far. A draft may have nothing to pay.
 */
export async function calculateDrafts(
  db: Db,
  query: Query,
  workspaceId: string,
  { now, taxBasisPoints }: { now: Date; taxBasisPoints: number },
): Promise<DraftInvoice[]> {
  const changes = sortChanges((await readPlanChanges(query, workspaceId)).map(toPlanChange))
  const periods = invoicePeriods(changes, now)
  const invoicedUntil = await readInvoicedUntil(query, workspaceId)
  const next = periods.findIndex(({ start }) => invoicedUntil === null || start >= invoicedUntil)
  if (next === -1) return []
  const drafts = periods.slice(next, next + maxDrafts)
  const [first] = drafts
  if (first === undefined) return []
  const before = periods[next - 1]
  const usage = await readUsage(query, workspaceId, (before ?? first).start, drafts.at(-1)?.end ?? first.end)
  const previous = before && (await findCharges(db, workspaceId, before))
  return drafts.map((period) => ({
    period,
    calculated: calculateInvoice({
      period,
      changes,
      usage,
      // Only the oldest draft follows an issued invoice.
      previous: period === first ? previous : undefined,
      plans,
      taxBasisPoints,
    }),
  }))
}

async function findCharges(db: Db, workspaceId: string, period: InvoicePeriod): Promise<PreviousInvoice | undefined> {
  const invoice = await findInvoiceOfPeriod(db, workspaceId, period.start)
  // The column holds what `calculateInvoice` returned.
  return invoice === null ? undefined : { period, charges: invoice.usage as unknown as Record<string, MeterCharge> }
}

async function readUsage(query: Query, workspaceId: string, start: Date, end: Date): Promise<UsageTotal[]> {
  const rows = await readUsageTotals(query, workspaceId, start, end)
  return rows.filter(hasMeter)
}

/** A meter that is no longer in the catalogue is not charged. */
const hasMeter = (row: UsageRow): row is UsageRow & { meter: Meter } =>
  (meters as readonly string[]).includes(row.meter)

const toPlanChange = (row: PlanChangeRow): PlanChange => ({
  id: BigInt(row.id),
  occurredAt: row.occurredAt,
  anchorAt: row.anchorAt,
  from: { plan: row.fromPlan, seats: row.fromSeats },
  to: { plan: row.toPlan, seats: row.toSeats },
})
