import type { Query, Row } from '@wp/database'
import type { PlanChange, Subscription, UsageTotal } from '#db'

export type PlanChangeRow = Row<Omit<PlanChange, 'workspaceId'>>

/** Returns every change of plan or seats of a workspace. */
export const readPlanChanges = (query: Query, workspaceId: string): Promise<PlanChangeRow[]> =>
  query(
    `SELECT id, occurred_at, anchor_at, from_plan, from_seats, to_plan, to_seats FROM plan_changes
      WHERE workspace_id = $1 ORDER BY occurred_at, id`,
    [workspaceId],
  )

export type UsageRow = Row<UsageTotal, 'meter' | 'hour' | 'quantity'>

/** Returns the use of each meter and hour from `start`, before `end`. */
export const readUsageTotals = (query: Query, workspaceId: string, start: Date, end: Date): Promise<UsageRow[]> =>
  query(
    `SELECT meter, hour, quantity FROM usage_totals
      WHERE workspace_id = $1 AND hour >= $2 AND hour < $3`,
    [workspaceId, start, end],
  )

/** Returns the subscription of a workspace. */
export async function findSubscriptionId(query: Query, workspaceId: string): Promise<string | null> {
  const [row] = await query<Row<Subscription, 'id'>>('SELECT id FROM subscriptions WHERE workspace_id = $1', [
    workspaceId,
  ])
  return row?.id ?? null
}
