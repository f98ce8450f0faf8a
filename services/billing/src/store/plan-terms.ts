import type { Query, Row } from '@wp/database'
import type { Subscription } from '#db'

/** The plan of a workspace that has subscribed. */
export type SubscribedPlan = Row<Subscription, 'workspaceId' | 'planCode' | 'anchorAt'>

/** Returns the plans of those workspaces that have a subscription. */
export const readSubscribedPlans = (query: Query, workspaceIds: readonly string[]): Promise<SubscribedPlan[]> =>
  query<SubscribedPlan>(
    `SELECT workspace_id, plan_code, anchor_at
     FROM subscriptions WHERE workspace_id = ANY ($1)`,
    [workspaceIds],
  )
