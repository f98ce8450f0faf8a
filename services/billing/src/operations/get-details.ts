import type { billingInvoices, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { detailsView } from '../invoices/invoice-content.ts'
import { findDetails } from '../store/billing-details.ts'

/** Returns whom invoices of the workspace are addressed to. */
export const getDetails: Operation<typeof billingInvoices.getDetails, Context> = async (
  { database },
  { workspaceId },
) => detailsView(workspaceId, await database.read({ workspaceId }, (db) => findDetails(db, workspaceId)))
