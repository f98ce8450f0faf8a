import { createHash } from 'node:crypto'
import { type Invoice, problem } from '@wp/contracts'
import { decodeCursor, paginate, type Query } from '@wp/database'
import type { Context, Operation } from '../context.ts'
import { calculateDrafts } from '../invoices/draft-invoices.ts'
import type { InvoiceConfig } from '../invoices/invoice-config.ts'
import { buildContent, detailsView } from '../invoices/invoice-content.ts'
import { draftView, invoiceView } from '../invoices/invoice-view.ts'
import { renderInvoice } from '../invoices/pdf/render-invoice.ts'
import { findDetails } from '../store/billing-details.ts'
import type { Db } from '../store/client.ts'
import { findSubscriptionId } from '../store/invoice-inputs.ts'
import { findInvoice, listInvoices as listIssued } from '../store/invoices.ts'

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

type InvoiceContext = Pick<Context, 'now'> & { config: InvoiceConfig }

/** Returns the drafts of a workspace, the newest period first. One without a line is left out. */
async function readDrafts(
  { config, now }: InvoiceContext,
  db: Db,
  query: Query,
  workspaceId: string,
): Promise<Invoice[]> {
  const settings = { now: new Date(now()), taxBasisPoints: config.BILLING_TAX_PERCENT }
  const drafts = await calculateDrafts(db, query, workspaceId, settings)
  if (drafts.length === 0) return []
  const customer = detailsView(workspaceId, await findDetails(db, workspaceId))
  const subscriptionId = await findSubscriptionId(query, workspaceId)
  return drafts
    .filter(({ calculated }) => calculated.lines.length > 0)
    .map((draft) => draftView(workspaceId, subscriptionId, draft, buildContent(draft.calculated, config, customer)))
    .reverse()
}

/** Returns an invoice or a draft. @throws Problem `not_found` */
async function readInvoice(
  context: InvoiceContext,
  db: Db,
  query: Query,
  workspaceId: string,
  id: string,
): Promise<Invoice> {
  const issued = await findInvoice(db, workspaceId, id)
  if (issued !== null) return invoiceView(issued)
  const draft = (await readDrafts(context, db, query, workspaceId)).find((each) => each.id === id)
  if (draft === undefined) throw problem('not_found')
  return draft
}
