import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import { recordPayment } from '../payments/settle-invoice.ts'
import { findInvoice, lockInvoice, savePaymentReference } from '../store/invoices.ts'

/** Starts the payment of an open invoice, or records one whose report by the provider was lost. */
export const startPayment: Operation<'startPayment'> = async (context, caller, { params }) => {
  const { database, paymentProvider } = context
  const { workspaceId } = caller
  const row = await database.read({ workspaceId }, (db) => findInvoice(db, workspaceId, params.id))
  if (row === null) throw problem('not_found', { detail: 'No issued invoice has this id; a draft cannot be paid' })
  if (row.status !== 'open') throw notOpen(row.status)
  const earlier = row.paymentReference === null ? undefined : await paymentProvider.readPayment(row.paymentReference)
  if (earlier?.isPaid === true && (await recordPayment(context, earlier, caller.requestId))) throw notOpen('paid')
  const { number, currency, customer, total_minor } = invoiceView(row)
  const invoice = { id: row.id, number: number ?? row.id, totalMinor: total_minor, currency, email: customer.email }
  const payment = await paymentProvider.createPayment(invoice)
  return await database.transact(caller, async (tx) => {
    const current = await lockInvoice(tx.query, workspaceId, row.id)
    if (current?.status !== 'open') throw notOpen(current?.status ?? 'void')
    if (payment.reference !== null) await savePaymentReference(tx.db, row.id, payment.reference)
    return {
      id: row.id,
      provider: paymentProvider.name,
      instructions: payment.instructions,
      url: payment.url,
      expires_at: payment.expiresAt?.toISOString() ?? null,
    }
  })
}

const notOpen = (status: string) =>
  problem('conflict', { detail: `The invoice is ${status}; only an open one is paid` })
