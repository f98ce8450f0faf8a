import type { Operation, webhooksInternal } from '@wp/contracts'
import { readQuotaUsage as readUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { replayQuota } from '../replays/replay.ts'
import { subscriptionQuota } from '../store/subscriptions/insert-subscription.ts'

export const readQuotaUsage: Operation<typeof webhooksInternal.readQuotaUsage, Context> = (
  { database },
  { workspaceId },
) =>
  database.read({ workspaceId }, async (_db, query) => ({
    quotas: await readUsage(query, workspaceId, [subscriptionQuota, replayQuota]),
  }))
