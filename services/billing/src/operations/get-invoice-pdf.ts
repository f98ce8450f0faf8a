import { createHash } from 'node:crypto'
import type { Operation } from '../context.ts'
import { renderInvoice } from '../invoices/pdf/render-invoice.ts'
import { readInvoice } from '../invoices/read-invoices.ts'

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
