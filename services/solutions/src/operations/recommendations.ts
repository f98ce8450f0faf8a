import { found, type Operation } from '../context.ts'
import { pendingFollowUp } from '../recommendations/index.ts'
import { findRecommendation, findRecommendations, setRecommendationStatus } from '../store/recommendations.ts'
import { recommendationView } from '../views.ts'

export const getRecommendation: Operation<'getRecommendation'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db) =>
    recommendationView(found(await findRecommendation(db, caller.workspaceId, params.id))),
  )

export const listRecommendations: Operation<'listRecommendations'> = async ({ database }, caller, { query }) => {
  const { items, nextCursor } = await database.read(caller, (db) => findRecommendations(db, caller.workspaceId, query))
  return { items: items.map(recommendationView), nextCursor }
}

export const updateRecommendation: Operation<'updateRecommendation'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const current = found(await findRecommendation(tx.db, caller.workspaceId, params.id))
    // Recommendations from before the window was stored cannot be compared with later values.
    const followUp = body.status === 'accepted' && current.window !== null ? { ...pendingFollowUp } : null
    const row = await setRecommendationStatus(tx.db, caller.workspaceId, params.id, body.status, followUp)
    return recommendationView(found(row))
  })
