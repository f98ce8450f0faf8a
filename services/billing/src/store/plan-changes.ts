import type { Query, Row } from '@wp/database'
import type { PlanChange } from '#db'

/** A change of plan or seats that took effect. */
export type NewPlanChange = Row<Omit<PlanChange, 'id'>>

/** Appends a change to the history of a workspace. */
export async function insertPlanChange(query: Query, change: NewPlanChange): Promise<void> {
  const { workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt } = change
  await query(
    `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, from_seats, to_plan, to_seats, anchor_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [workspaceId, occurredAt, fromPlan, fromSeats, toPlan, toSeats, anchorAt],
  )
}
