import type { aiInternal, Operation } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { agentRunQuota } from '../runs/queue.ts'
import { agentQuota, blueprintQuota } from '../store/quotas.ts'

export const readQuotaUsage: Operation<typeof aiInternal.readQuotaUsage, Context> = ({ database }, { workspaceId }) =>
  database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [agentQuota, blueprintQuota, agentRunQuota]),
  }))
