import type { billingInvoices, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readInvoice } from '../invoices/read-invoices.ts'

/** Returns an issued invoice as it was issued, or a draft calculated now. */
export const getInvoice: Operation<typeof billingInvoices.getInvoice, Context> = async (
  context,
  { workspaceId },
  { params },
) =>
  await context.database.read({ workspaceId }, (db, query) => readInvoice(context, db, query, workspaceId, params.id))
