import { workerQuery } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import type { Context } from '../context.ts'
import { findDetails } from '../store/billing-details.ts'
import type { Tx } from '../store/client.ts'
import { findSubscriptionId } from '../store/invoice-inputs.ts'
import {
  addMissingSchedules,
  listDueSchedules,
  lockSchedule,
  postponeSchedule,
  saveSchedule,
} from '../store/invoice-schedules.ts'
import { insertInvoice, type StoredUsage, takeInvoiceNumber } from '../store/invoices.ts'
import { calculateDrafts, type DraftInvoice } from './draft-invoices.ts'
import type { InvoiceConfig } from './invoice-config.ts'
import { buildContent, detailsView } from './invoice-content.ts'
import { invoiceId } from './invoice-view.ts'

const pollMs = 60_000
const batchSize = 50
/** An invoice that could not be issued is tried again after that, so that it delays no other workspace. */
const retryMs = 3_600_000

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

/** Returns the schedule that issues invoices after the grace window of their period. */
export function invoiceSchedule(context: Pick<Context, 'config' | 'database' | 'log' | 'metrics' | 'now'>): Schedule {
  const { database, log, metrics, now } = context
  const query = workerQuery(database.worker)

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    const added = await addMissingSchedules(query, new Date(now()), batchSize)
    const due = await listDueSchedules(query, new Date(now()), batchSize)
    let finished = 0
    for (const workspace of due) {
      if (signal.aborted) return 'idle'
      try {
        if (await issueNextInvoice(context, workspace)) finished += 1
      } catch (error) {
        await postponeSchedule(query, workspace.workspaceId, new Date(now() + retryMs))
        metrics.count('invoices_failed_total')
        const { workspaceId } = workspace
        log.error(
          { event: 'invoice.issue_failed', err: error, workspace_id: workspaceId },
          'failed to issue an invoice',
        )
      }
    }
    return finished > 0 || added === batchSize ? 'more' : 'idle'
  }
  return { name: 'invoice issuer', everyMs: pollMs, pass }
}
