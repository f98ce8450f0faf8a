import { definedFields } from '@wp/database'
import type { Operation } from '../context.ts'
import { detailsView } from '../invoices/invoice-content.ts'
import { type DetailsChange, findDetails, saveDetails } from '../store/billing-details.ts'

/** Returns whom invoices of the workspace are addressed to. */
export const getDetails: Operation<'getDetails'> = async ({ database }, { workspaceId }) =>
  detailsView(workspaceId, await database.read({ workspaceId }, (db) => findDetails(db, workspaceId)))

/** Changes whom invoices issued from now on are addressed to. */
export const updateDetails: Operation<'updateDetails'> = async ({ database, now }, caller, { body }) => {
  const { workspaceId } = caller
  const { company_name: companyName, address, vat_id: vatId, email } = body
  const change: DetailsChange = definedFields({ companyName, address, vatId, email })
  return await database.transact(caller, async (tx) => {
    // Names and addresses are personal data, so the audit log keeps only which fields changed.
    tx.audit({ changes: { fields: Object.keys(body).sort() } })
    return detailsView(workspaceId, await saveDetails(tx.db, workspaceId, change, new Date(now())))
  })
}
