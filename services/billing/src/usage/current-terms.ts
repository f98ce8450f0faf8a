import type { Plan } from '@wp/contracts'
import type { Query } from '@wp/database'
import { plans } from '../plans.ts'
import { readSubscribedPlans } from '../store/subscriptions.ts'
import { calendarAnchor, type Period, periodAt } from '../subscriptions/period.ts'

/** The plan of a workspace and the period in which its use counts. */
export interface CurrentTerms {
  workspaceId: string
  plan: Plan
  period: Period
}

/** Returns plan and current period of each workspace, in the given order. @param now milliseconds since 1970 */
export async function readCurrentTerms(
  query: Query,
  workspaceIds: readonly string[],
  now: number,
): Promise<CurrentTerms[]> {
  const subscribed = await readSubscribedPlans(query, workspaceIds)
  const byWorkspace = new Map(subscribed.map((row) => [row.workspaceId, row]))
  return workspaceIds.map((workspaceId) => {
    const { planCode, anchorAt } = byWorkspace.get(workspaceId) ?? { planCode: undefined, anchorAt: calendarAnchor }
    return { workspaceId, plan: planOf(planCode), period: periodAt(anchorAt, new Date(now)) }
  })
}

function planOf(code: string | undefined): Plan {
  const plan = code === undefined ? plans[0] : plans.find((candidate) => candidate.code === code)
  if (plan === undefined) throw new Error(`the catalogue has no plan ${JSON.stringify(code)}`)
  return plan
}
