import { mapPage, type Query } from '@wp/database'
import { found, type Operation } from '../context.ts'
import { readComparison } from '../plans/read-comparison.ts'
import { listedPlanView, planView } from '../plans/views.ts'
import type { Db } from '../store/client.ts'
import { findPlan, findPlans, type Plan } from '../store/plans.ts'
import { deletedWarnings } from '../workplace/unread-warnings.ts'

export const listPlans: Operation<'listPlans'> = async ({ database }, caller, { query }) => {
  const page = await database.read(caller, (db) => findPlans(db, caller.workspaceId, query))
  return mapPage(page, listedPlanView)
}

export const getPlan: Operation<'getPlan'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db, sql) =>
    readPlanView(db, sql, found(await findPlan(db, caller.workspaceId, params.id))),
  )

/** Returns a plan with how the one before it did. */
export async function readPlanView(db: Db, query: Query, plan: Plan) {
  const { comparison } = await readComparison(db, query, plan.workspaceId, plan)
  const stale = await deletedWarnings(query, plan.workspaceId, plan.content.rests_on)
  return planView(plan, comparison, stale)
}
