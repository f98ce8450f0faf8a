import type { Context } from '../context.ts'
import { recordClosures } from '../runs/record-recommendations.ts'
import type { AfterForecast } from '../runs/workplace/run-workplace-forecast.ts'
import type { AfterScenario } from '../scenarios/run-scenario.ts'
import { checkAcceptedClosures } from './check-accepted.ts'
import { recommendClosures } from './site-closure.ts'
import { findCandidateSites, startSiteScenarios } from './start-scenarios.ts'

/** Recommends the floors to close that a scenario of the platform has found, with the commit of its result. */
export const recommendFromScenario: AfterScenario = async (tx, { id, workspaceId, asked, result, ...of }) => {
  const { site } = of
  if (asked.trigger !== 'forecast' || site === null) return
  const recommendation = recommendClosures({ ...of, id, site }, result)
  if (recommendation === null) return
  await recordClosures(tx, { workspaceId, runId: asked.forecast_run_id }, recommendation)
}

/** Starts scenarios of sites with a forecast of all teams or floors, and follows up what was accepted after earlier ones. */
export const createAfterForecast =
  ({ database }: Pick<Context, 'database'>): AfterForecast =>
  async ({ id, workspaceId, historyUntil, spaces }) => {
    const sites = await database.read({ workspaceId }, (_db, query) => findCandidateSites(query, workspaceId, spaces))
    return async (tx) => {
      await startSiteScenarios(tx, { id, workspaceId }, sites)
      await checkAcceptedClosures(tx, workspaceId, historyUntil)
    }
  }
