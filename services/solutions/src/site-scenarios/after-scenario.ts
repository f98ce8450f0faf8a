import { recordClosures } from '../runs/record-recommendations.ts'
import type { AfterScenario } from '../scenarios/run-scenario.ts'
import { recommendClosures } from './site-closure.ts'

/** Recommends the floors to close that a scenario of the platform has found, with the commit of its result. */
export const recommendFromScenario: AfterScenario = async (tx, { id, workspaceId, asked, result, ...of }) => {
  const { site } = of
  if (asked.trigger !== 'forecast' || site === null) return
  const recommendation = recommendClosures({ ...of, id, site }, result)
  if (recommendation === null) return
  await recordClosures(tx, { workspaceId, runId: asked.forecast_run_id }, recommendation)
}
