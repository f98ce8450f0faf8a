import type { Query } from '@wp/database'
import { getJob } from '@wp/jobs'
import { found, type Operation } from '../context.ts'
import { pendingFollowUp } from '../recommendations/index.ts'
import { type ScenarioResult, scenarioQueue } from '../scenarios/scenario-job.ts'
import {
  findRecommendation,
  findRecommendations,
  type RecommendationRow,
  setRecommendationStatus,
} from '../store/recommendations.ts'
import { recommendationView } from '../views.ts'
import { deletedWarnings } from '../workplace/unread-warnings.ts'

export const getRecommendation: Operation<'getRecommendation'> = ({ database }, caller, { params }) =>
  database.read(caller, async (db, query) => {
    const row = found(await findRecommendation(db, caller.workspaceId, params.id))
    return recommendationView(found((await markStale(query, caller.workspaceId, [row]))[0] ?? null))
  })

export const listRecommendations: Operation<'listRecommendations'> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { items, nextCursor } = await findRecommendations(db, caller.workspaceId, query)
    return { items: (await markStale(sql, caller.workspaceId, items)).map(recommendationView), nextCursor }
  })

export const updateRecommendation: Operation<'updateRecommendation'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const current = found(await findRecommendation(tx.db, caller.workspaceId, params.id))
    // Recommendations from before the window was stored cannot be compared with later values.
    const followUp = body.status === 'accepted' && current.window !== null ? { ...pendingFollowUp } : null
    const row = await setRecommendationStatus(tx.db, caller.workspaceId, params.id, body.status, followUp)
    return recommendationView(found(row))
  })

/** Says in each open recommendation of a scenario that data on which the scenario rests was deleted. */
async function markStale(query: Query, workspaceId: string, rows: RecommendationRow[]): Promise<RecommendationRow[]> {
  const isOpen = ({ status, scenarioId }: RecommendationRow) => status === 'open' && scenarioId !== null
  const warnings = new Map<string | null, string>()
  for (const scenarioId of new Set(rows.filter(isOpen).map((row) => row.scenarioId ?? ''))) {
    const job = await getJob(query, { workspaceId, queue: scenarioQueue, id: scenarioId })
    const result = job?.result as ScenarioResult | null | undefined // written by run-scenario.ts
    for (const warning of await deletedWarnings(query, workspaceId, result?.rests_on)) warnings.set(scenarioId, warning)
  }
  return rows.map((row) => {
    const warning = isOpen(row) ? warnings.get(row.scenarioId) : undefined
    return warning === undefined ? row : { ...row, rationale: `${warning} ${row.rationale}` }
  })
}
