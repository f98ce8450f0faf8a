import type { Database } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Client } from '../store/client.ts'
import { changeInvoice, type InvoiceRef, type InvoiceState, lockInvoice } from '../store/invoices.ts'

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
