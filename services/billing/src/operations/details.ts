import type { Operation } from '../context.ts'
import { detailsView } from '../invoices/invoice-content.ts'
import { type DetailsChange, findDetails, saveDetails } from '../store/billing-details.ts'

/** Returns whom invoices of the workspace are addressed to. */
export const getDetails: Operation<'getDetails'> = async ({ database }, { workspaceId }) =>
  detailsView(workspaceId, await database.read({ workspaceId }, (db) => findDetails(db, workspaceId)))

/** Changes whom invoices issued from now on are addressed to. */
export const updateDetails: Operation<'updateDetails'> = async ({ database, now }, caller, { body }) => {
  const { workspaceId } = caller
  const change: DetailsChange = {
    ...(body.company_name === undefined ? {} : { companyName: body.company_name }),
    ...(body.address === undefined ? {} : { address: body.address }),
    ...(body.vat_id === undefined ? {} : { vatId: body.vat_id }),
    ...(body.email === undefined ? {} : { email: body.email }),
  }
  return await database.transact(caller, async (tx) => {
    // Names and addresses are personal data, so the audit log keeps only which fields changed.
    tx.audit({ changes: { fields: Object.keys(body).sort() } })
    return detailsView(workspaceId, await saveDetails(tx.db, workspaceId, change, new Date(now())))
  })
}
