import { type Operation, problem, type solutions } from '@wp/contracts'
import type { Context } from '../context.ts'
import { setRecommendationStatus } from '../store/recommendations.ts'
import { recommendationView } from '../views.ts'

export const updateRecommendation: Operation<typeof solutions.updateRecommendation, Context> = (
  { database },
  caller,
  { params, body },
) =>
  database.transact(caller, async (tx) => {
    const row = await setRecommendationStatus(tx.db, caller.workspaceId, params.id, body.status)
    if (row === null) throw problem('not_found')
    return recommendationView(row)
  })
