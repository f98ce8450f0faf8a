import { createHash } from 'node:crypto'
import { decodeCursor, paginate } from '@wp/database'
import type { Operation } from '../context.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import { renderInvoice } from '../invoices/pdf/render-invoice.ts'
import { readDrafts, readInvoice } from '../invoices/read-invoices.ts'
import { listInvoices as listIssued } from '../store/invoices.ts'

/** Returns an issued invoice as it was issued, or a draft calculated now. */
export const getInvoice: Operation<'getInvoice'> = async (context, { workspaceId }, { params }) =>
  await context.database.read({ workspaceId }, (db, query) => readInvoice(context, db, query, workspaceId, params.id))

/** Lists invoices, the newest period first, so drafts before issued ones. */
export const listInvoices: Operation<'listInvoices'> = async (
  context,
  { workspaceId },
  { query: { status, cursor, limit } },
) =>
  await context.database.read({ workspaceId }, async (db, query) => {
    const before = cursor === undefined ? undefined : decodeCursor(cursor).createdAt
    const wantsDrafts = status === undefined || status === 'draft'
    const drafts = wantsDrafts ? await readDrafts(context, db, query, workspaceId) : []
    const remaining = drafts.filter((draft) => before === undefined || new Date(draft.period_start) < before)
    const issued = status === 'draft' ? [] : await listIssued(db, workspaceId, { status, before, take: limit + 1 })
    return paginate([...remaining, ...issued.map(invoiceView)], limit, (invoice) => ({
      // A workspace has one invoice for each period, so the start of the period is the key of the list.
      createdAt: new Date(invoice.period_start),
      id: invoice.id,
    }))
  })

/** Returns an invoice or a draft as PDF. */
export const getInvoicePdf: Operation<'getInvoicePdf'> = async (context, { workspaceId }, { params }) => {
  const invoice = await context.database.read({ workspaceId }, (db, query) =>
    readInvoice(context, db, query, workspaceId, params.id),
  )
  return {
    contentType: 'application/pdf',
    filename: `${invoice.number ?? 'draft-invoice'}.pdf`,
    etag: createHash('sha256').update(JSON.stringify(invoice)).digest('hex'),
    open: () => renderInvoice(invoice, { nameFontFile: context.config.BILLING_FONT_FILE }),
  }
}
