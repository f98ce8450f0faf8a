import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { deleteIntegration as deleteRow, lockIntegration } from '../store/integrations.ts'
import { listUses } from '../store/uses.ts'

/** Users that the refusal lists. */
const maxListedUsers = 100

export const deleteIntegration: Operation<'deleteIntegration'> = ({ database }, caller, { params, query: { force } }) =>
  database.transact(caller, async (tx) => {
    // A concurrent registerUse waits for this lock, and then finds no integration.
    await lockIntegration(tx, caller.workspaceId, params.integration_id, 'UPDATE')
    const users = await listUses(tx.db, caller.workspaceId, params.integration_id, maxListedUsers)
    if (users.length > 0 && !force)
      throw problem('integration_in_use', {
        detail: `The integration is in use by ${describeUsers(users)}`,
        extra: { users },
      })
    await deleteRow(tx.db, caller.workspaceId, params.integration_id)
    tx.audit({ changes: { forced: users.length > 0, ...(users.length > 0 ? { users } : {}) } })
    return { id: params.integration_id }
  })

const describeUsers = (users: readonly { service: string; type: string; id: string }[]): string => {
  const [first] = users
  const more = users.length - 1
  return `${first?.type} ${first?.id}${more > 0 ? ` and ${more} more` : ''}`
}
