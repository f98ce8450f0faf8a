import type { Operation, solutionsInternal } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { forecastRunQuota } from '../runs/queue.ts'

export const readQuotaUsage: Operation<typeof solutionsInternal.readQuotaUsage, Context> = (
  { database },
  { workspaceId },
) =>
  database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [forecastRunQuota]),
  }))
