import { type Operation, problem, type solutions } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findRecommendation } from '../store/recommendations.ts'
import { recommendationView } from '../views.ts'

export const getRecommendation: Operation<typeof solutions.getRecommendation, Context> = async (
  { database },
  caller,
  { params },
) => {
  const row = await database.read(caller, (db) => findRecommendation(db, caller.workspaceId, params.id))
  if (row === null) throw problem('not_found')
  return recommendationView(row)
}
