import { type Invoice, problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Context } from '../context.ts'
import { findDetails } from '../store/billing-details.ts'
import type { Db } from '../store/client.ts'
import { findSubscriptionId } from '../store/invoice-inputs.ts'
import { findInvoice } from '../store/invoices.ts'
import { calculateDrafts } from './draft-invoices.ts'
import type { InvoiceConfig } from './invoice-config.ts'
import { buildContent, detailsView } from './invoice-content.ts'
import { draftView, invoiceView } from './invoice-view.ts'

type InvoiceContext = Pick<Context, 'now'> & { config: InvoiceConfig }

/** Returns the drafts of a workspace, the newest period first. One without a line is left out. */
export async function readDrafts(
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
export async function readInvoice(
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
