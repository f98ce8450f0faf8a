import type { Operation, solutions } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listRecommendations as list } from '../store/recommendations.ts'
import { recommendationView } from '../views.ts'

export const listRecommendations: Operation<typeof solutions.listRecommendations, Context> = async (
  { database },
  caller,
  { query },
) => {
  const { items, nextCursor } = await database.read(caller, (db) => list(db, caller.workspaceId, query))
  return { items: items.map(recommendationView), nextCursor }
}
