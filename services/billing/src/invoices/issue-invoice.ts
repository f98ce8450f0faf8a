import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import { findDetails } from '../store/billing-details.ts'
import type { Tx } from '../store/client.ts'
import { findSubscriptionId } from '../store/invoice-inputs.ts'
import { lockSchedule, saveSchedule } from '../store/invoice-schedules.ts'
import { insertInvoice, type StoredUsage, takeInvoiceNumber } from '../store/invoices.ts'
import { calculateDrafts, type DraftInvoice } from './draft-invoices.ts'
import type { InvoiceConfig } from './invoice-config.ts'
import { buildContent, detailsView } from './invoice-content.ts'
import { invoiceId } from './invoice-view.ts'

export type IssueContext = Pick<Context, 'database' | 'now'> & { config: InvoiceConfig }

const msPerHour = 3_600_000
const msPerDay = 24 * msPerHour

/**
 * Issues the oldest invoice of a workspace whose grace window has ended, in one transaction: its number, its content
 * and its event are committed together or not at all. A period without anything to pay is passed over.
 *
 * @returns true if it finished a period; false if none is due, or another replica works on this workspace
 */
export async function issueNextInvoice(
  { config, database, now }: IssueContext,
  { workspaceId, shard }: { workspaceId: string; shard: string },
): Promise<boolean> {
  const caller = serviceCaller('billing', { shard, workspaceId, requestId: `invoices-${workspaceId}` })
  return await database.transact(caller, async (tx) => {
    const time = new Date(now())
    const schedule = await lockSchedule(tx.query, workspaceId)
    if (schedule === undefined || schedule.dueAt > time) return false
    const settings = { now: time, taxBasisPoints: config.BILLING_TAX_PERCENT }
    const [oldest, following] = await calculateDrafts(tx.db, tx.query, workspaceId, settings)
    const graceEnd = (draft: DraftInvoice) => addMs(draft.period.end, config.INVOICE_GRACE_HOURS * msPerHour)
    // A workspace that subscribes later is seen a day later at the latest, long before its first period ends.
    const dueAt = (draft: DraftInvoice | undefined) => (draft === undefined ? addMs(time, msPerDay) : graceEnd(draft))
    if (oldest === undefined || graceEnd(oldest) > time) {
      await saveSchedule(tx.query, workspaceId, { ...schedule, dueAt: dueAt(oldest) })
      return false
    }
    if (oldest.calculated.lines.length > 0) await issue(tx, { config, time, workspaceId, shard, draft: oldest })
    await saveSchedule(tx.query, workspaceId, { invoicedUntil: oldest.period.end, dueAt: dueAt(following) })
    return true
  })
}

interface Issue {
  config: InvoiceConfig
  time: Date
  workspaceId: string
  shard: string
  draft: DraftInvoice
}

async function issue(tx: Tx, { config, time, workspaceId, shard, draft }: Issue): Promise<void> {
  const { period, calculated } = draft
  const customer = detailsView(workspaceId, await findDetails(tx.db, workspaceId))
  const content = buildContent(calculated, config, customer)
  const subscriptionId = await findSubscriptionId(tx.query, workspaceId)
  const id = invoiceId(workspaceId, period.start)
  const dueAt = addMs(time, config.INVOICE_DUE_DAYS * msPerDay)
  // Last, because every other issuer waits for the counter until this transaction ends.
  const year = time.getUTCFullYear()
  const number = `INV-${year}-${String(await takeInvoiceNumber(tx.query, year)).padStart(6, '0')}`
  const amounts = { currency: calculated.currency, total_minor: calculated.totalMinor }
  await insertInvoice(tx.db, {
    id,
    workspaceId,
    shard,
    number,
    subscriptionId,
    periodStart: period.start,
    periodEnd: period.end,
    content,
    usage: calculated.charges as unknown as StoredUsage, // an interface has no index signature, but is plain JSON
    totalMinor: calculated.totalMinor,
    currency: calculated.currency,
    issuedAt: time,
    dueAt,
    createdAt: time,
    updatedAt: time,
  })
  const range = { period_start: period.start.toISOString(), period_end: period.end.toISOString() }
  tx.emit({
    kind: 'INVOICE_ISSUED',
    data: { id, status: 'open', number, ...amounts, ...range, due_at: dueAt.toISOString() },
  })
  tx.emitAudit({ action: 'invoice.issued', targets: [{ type: 'invoice', id }], changes: { number, ...amounts } })
}

const addMs = (time: Date, ms: number): Date => new Date(time.getTime() + ms)
