import { type Database, workerQuery } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import type { Client } from '../store/client.ts'
import { changeInvoice, type InvoiceRef, type InvoiceState, locateInvoice, lockInvoice } from '../store/invoices.ts'
import type { ProviderPayment } from './payment-provider.ts'

interface SettleContext {
  database: Database<Client>
  now: () => number
}

type InvoiceIdentity = Pick<InvoiceRef, 'id' | 'workspaceId' | 'shard'>

/**
 * Marks an open invoice as paid, once, however often the payment is reported.
 *
 * @param reference identifies the payment, for example the session at Stripe or the text of a bank statement
 * @param requestId of the request or command that reports the payment, for the audit log
 * @returns the state before
 */
export const payInvoice = (
  context: SettleContext,
  invoice: InvoiceIdentity,
  { reference, requestId }: { reference: string; requestId: string },
): Promise<InvoiceState> => settle(context, invoice, { action: 'invoice.paid', reference, requestId })

/** Voids an open invoice: it must not be paid. @returns the state before; only an open invoice is voided */
export const voidInvoice = (
  context: SettleContext,
  invoice: InvoiceIdentity,
  { reason, requestId }: { reason: string; requestId: string },
): Promise<InvoiceState> => settle(context, invoice, { action: 'invoice.voided', reference: reason, requestId })

interface Settlement {
  action: 'invoice.paid' | 'invoice.voided'
  reference: string
  requestId: string
}

async function settle(
  { database, now }: SettleContext,
  { id, workspaceId, shard }: InvoiceIdentity,
  { action, reference, requestId }: Settlement,
): Promise<InvoiceState> {
  return await database.transact(serviceCaller('billing', { shard, workspaceId, requestId }), async (tx) => {
    const before = await lockInvoice(tx.query, workspaceId, id)
    if (before === undefined) throw new Error(`there is no invoice ${id}`)
    if (before.status !== 'open') return before
    const time = new Date(now())
    const isPaid = action === 'invoice.paid'
    await changeInvoice(
      tx.db,
      id,
      isPaid
        ? { status: 'paid', paidAt: time, paymentReference: reference, updatedAt: time }
        : { status: 'void', voidedAt: time, updatedAt: time },
    )
    const changes = isPaid ? { payment_reference: reference } : { reason: reference }
    tx.emitAudit({ action, targets: [{ type: 'invoice', id }], changes })
    return before
  })
}

type RecordContext = Pick<Context, 'log' | 'metrics' | 'now'> & { database: Database<Client> }

/**
 * Marks the invoice of a reported payment as paid. A payment that does not fit is left for an operator, with an error
 * in the log: its amount or currency differs, its invoice is void or unknown, or the invoice was paid by another
 * payment.
 *
 * @returns true if the invoice is paid by this payment
 */
export async function recordPayment(
  context: RecordContext,
  payment: ProviderPayment,
  requestId: string,
): Promise<boolean> {
  const { database, log, metrics } = context
  const query = workerQuery(database.worker)
  const invoice = payment.invoiceId === null ? undefined : await locateInvoice(query, payment.invoiceId)
  const mismatch = reasonOfMismatch(payment, invoice)
  if (invoice === undefined || mismatch !== undefined) {
    metrics.count('payments_unmatched_total')
    const details = { payment: payment.reference, invoice: payment.invoiceId, reason: mismatch }
    log.error({ event: 'payment.unmatched', ...details }, 'a payment does not fit its invoice')
    return false
  }
  const before = await payInvoice(context, invoice, { reference: payment.reference, requestId })
  const isOther = before.status === 'paid' && before.paymentReference !== payment.reference
  if (before.status !== 'void' && !isOther) return true
  metrics.count('payments_unmatched_total')
  const details = { payment: payment.reference, invoice: invoice.id, status: before.status }
  log.error({ event: 'payment.unmatched', ...details }, 'a void or paid invoice was paid')
  return false
}

function reasonOfMismatch(payment: ProviderPayment, invoice: InvoiceRef | undefined): string | undefined {
  if (invoice === undefined) return 'the invoice is unknown'
  if (payment.currency !== invoice.currency) return `the currency is ${payment.currency}, not ${invoice.currency}`
  const total = Number(invoice.totalMinor)
  return payment.amountMinor === total ? undefined : `the amount is ${payment.amountMinor}, not ${total}`
}
