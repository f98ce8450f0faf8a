import { getJob } from '@wp/jobs'
import type { Context } from '../context.ts'
import { recordClosures } from '../runs/record-recommendations.ts'
import type { AfterForecast } from '../runs/workplace/run-workplace-forecast.ts'
import type { AfterScenario } from '../scenarios/run-scenario.ts'
import { type ScenarioResult, scenarioQueue } from '../scenarios/scenario-job.ts'
import type { Tx } from '../store/client.ts'
import { findAcceptedClosures, setFollowUp } from '../store/recommendations.ts'
import { findShownAttendance } from '../store/utilization.ts'
import { dayOf } from '../workplace/local-days.ts'
import { type Closure, followedPeriod, followUpClosures } from './follow-up-closures.ts'
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

/** Starts scenarios of sites with a forecast of all teams or floors, and follows up what was accepted earlier. */
export const createAfterForecast =
  ({ database }: Pick<Context, 'database'>): AfterForecast =>
  async ({ id, workspaceId, historyUntil, spaces }) => {
    const sites = await database.read({ workspaceId }, (_db, query) => findCandidateSites(query, workspaceId, spaces))
    return async (tx) => {
      await startSiteScenarios(tx, { id, workspaceId }, sites)
      await checkAcceptedClosures(tx, workspaceId, historyUntil)
    }
  }

/**
 * Writes the follow-up of each accepted closure of floors whose days the history covers.
 * @param historyUntil the last day of the history of a forecast
 */
async function checkAcceptedClosures({ db, query }: Tx, workspaceId: string, historyUntil: string): Promise<void> {
  const now = new Date()
  for (const { id, scenarioId, updatedAt } of await findAcceptedClosures(db, workspaceId)) {
    const acceptedOn = updatedAt.toISOString().slice(0, 10)
    const period = followedPeriod(acceptedOn)
    if (dayOf(historyUntil) + 1 < dayOf(period.until)) continue
    const scenario = await getJob(query, { workspaceId, queue: scenarioQueue, id: scenarioId ?? '' })
    const closures = closuresOf(scenario?.result as ScenarioResult | undefined) // written by run-scenario.ts
    const spaceIds = closures.map(({ spaceId }) => spaceId)
    const shown = await findShownAttendance(query, workspaceId, spaceIds, period)
    await setFollowUp(db, workspaceId, id, { ...followUpClosures(closures, shown, acceptedOn, now) })
  }
}

const closuresOf = (result: ScenarioResult | undefined): Closure[] =>
  (result?.free ?? []).map(({ space_id: spaceId, weekdays }) => ({
    spaceId,
    weekdays,
    capacity: result?.floors.find((floor) => floor.space_id === spaceId)?.capacity ?? 0,
  }))
