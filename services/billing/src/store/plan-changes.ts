import type { Query } from '@wp/database'

/** A change of plan or seats that took effect. */
export interface PlanChangeRow {
  workspaceId: string
  occurredAt: Date
  fromPlan: string
  fromSeats: number
  toPlan: string
  toSeats: number
  /** The anchor of the billing periods since the change. */
  anchorAt: Date
}

/** Appends a change to the history of a workspace. */
export async function insertPlanChange(query: Query, change: PlanChangeRow): Promise<void> {
  const { workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt } = change
  await query(
    `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, from_seats, to_plan, to_seats, anchor_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt],
  )
}
