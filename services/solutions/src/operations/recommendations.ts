import type { Query } from '@wp/database'
import { getJob, listJobs } from '@wp/jobs'
import { found, type Operation } from '../context.ts'
import { pendingFollowUp } from '../recommendations/index.ts'
import { bulkField, type RunResult } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
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
    return found((await viewsOf(query, caller.workspaceId, [row]))[0] ?? null)
  })

export const listRecommendations: Operation<'listRecommendations'> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { items, nextCursor } = await findRecommendations(db, caller.workspaceId, query)
    return { items: await viewsOf(sql, caller.workspaceId, items), nextCursor }
  })

export const updateRecommendation: Operation<'updateRecommendation'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const current = found(await findRecommendation(tx.db, caller.workspaceId, params.id))
    // Recommendations from before the window was stored cannot be compared with later values.
    const followUp = body.status === 'accepted' && current.window !== null ? { ...pendingFollowUp } : null
    const row = await setRecommendationStatus(tx.db, caller.workspaceId, params.id, body.status, followUp)
    return found((await viewsOf(tx.query, caller.workspaceId, [found(row)]))[0] ?? null)
  })

/** Returns recommendations with what the data lacks on which the open ones rest: deleted since, or partial then. */
async function viewsOf(query: Query, workspaceId: string, rows: readonly RecommendationRow[]) {
  const warnings = new Map<string, string[]>()
  const runIdOf = ({ lastRunId, forecastRunId }: RecommendationRow) => lastRunId ?? forecastRunId
  const ids = new Set(rows.filter(({ status }) => status === 'open').map(runIdOf))
  // Series are large, and most runs of recommendations are among the newest.
  const omit = { result: ['series', 'histories'], input: [bulkField] }
  const filter = { workspaceId, queue: forecastQueue, limit: 100, state: 'finished' as const, omit }
  const newest = new Map(ids.size > 0 ? (await listJobs(query, filter)).items.map((job) => [job.id, job]) : [])
  for (const id of ids) {
    // A scenario rests on what its forecast does.
    const { result } = newest.get(id) ?? (await getJob(query, { workspaceId, queue: forecastQueue, id })) ?? {}
    const { rests_on: restsOn, warnings: ofRun = [] } = (result ?? {}) as Partial<RunResult> // written by run-forecast.ts
    warnings.set(id, [...(await deletedWarnings(query, workspaceId, restsOn)), ...ofRun])
  }
  return rows.map((row) => {
    const own = row.status === 'open' ? (warnings.get(runIdOf(row)) ?? []) : []
    return { ...recommendationView(row), ...(own.length > 0 && { warnings: own }) }
  })
}
