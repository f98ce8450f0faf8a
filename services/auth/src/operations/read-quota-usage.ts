import type { authInternal, Operation } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { workerQuery } from '../store/cross-workspace.ts'
import { apiKeyQuota, seatQuota, servicePrincipalQuota, workspaceQuota } from '../store/quotas.ts'

/** Reads the quotas of the workspace and, for a user, of the user. The worker role reads them: they span workspaces. */
export const readQuotaUsage: Operation<typeof authInternal.readQuotaUsage, Context> = async (
  { database },
  { workspaceId, principal },
) => {
  const query = workerQuery(database.worker)
  const ofUser = principal.type === 'user' ? await readUsage(query, principal.id, [workspaceQuota]) : []
  return {
    quotas: [...ofUser, ...(await readUsage(query, workspaceId, [seatQuota, apiKeyQuota, servicePrincipalQuota]))],
  }
}
