import { type Database, workerQuery } from '@wp/database'
import type { Context } from '../context.ts'
import type { Client } from '../store/client.ts'
import { type InvoiceRef, locateInvoice } from '../store/invoices.ts'
import type { ProviderPayment } from './payment-provider.ts'
import { payInvoice } from './settle-invoice.ts'

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
