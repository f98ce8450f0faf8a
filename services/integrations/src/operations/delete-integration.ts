import { type integrations, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { lockIntegration, removeIntegration } from '../store/integrations.ts'
import { listUses } from '../store/uses.ts'

/** As many as are named. */
const mostUsers = 100

export const deleteIntegration: Operation<typeof integrations.deleteIntegration, Context> = (
  { database },
  caller,
  { params: { integration_id: id }, query: { force } },
) =>
  database.transact(caller, async (tx) => {
    // So that nobody begins to use it meanwhile.
    await lockIntegration(tx, caller.workspaceId, id, 'UPDATE')
    const users = await listUses(tx.db, caller.workspaceId, id, mostUsers)
    if (users.length > 0 && !force)
      throw problem('integration_in_use', {
        detail: `Something uses the integration: ${said(users)}`,
        extra: { users },
      })
    await removeIntegration(tx.db, caller.workspaceId, id)
    tx.audit({ changes: { forced: users.length > 0, ...(users.length > 0 ? { users } : {}) } })
    return { id }
  })

const said = (users: readonly { service: string; type: string; id: string }[]): string => {
  const [first] = users
  const more = users.length - 1
  return `${first?.type} ${first?.id}${more > 0 ? ` and ${more} more` : ''}`
}
