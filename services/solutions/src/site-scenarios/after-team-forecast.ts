import type { Context } from '../context.ts'
import type { AfterTeamForecast } from '../runs/workplace/run-workplace-forecast.ts'
import { checkAcceptedClosures } from './check-accepted.ts'
import { findCandidateSites, startSiteScenarios } from './start-scenarios.ts'

/** Starts scenarios of sites with a forecast of all teams, and follows up what was accepted after earlier ones. */
export const createAfterTeamForecast =
  ({ database }: Pick<Context, 'database'>): AfterTeamForecast =>
  async ({ id, workspaceId, historyUntil }) => {
    const sites = await database.read({ workspaceId }, (_db, query) => findCandidateSites(query, workspaceId))
    return async (tx) => {
      await startSiteScenarios(tx, { id, workspaceId }, sites)
      await checkAcceptedClosures(tx, workspaceId, historyUntil)
    }
  }
