import type { Query } from '@wp/database'
import { getJob } from '@wp/jobs'
import { type AskedScenario, type ScenarioResult, scenarioQueue } from '../../scenarios/scenario-job.ts'
import { dayOf, weekdayOf } from '../../workplace/local-days.ts'
import type { PlanInput } from './plan-input.ts'

/** Reads which floors a scenario frees on the weekday of a date, or why it frees none. */
export async function readFreedFloors(
  query: Query,
  workspaceId: string,
  scenarioId: string | null,
  date: string,
): Promise<{ freed: PlanInput['scenario']; warnings: string[] }> {
  if (scenarioId === null) return { freed: null, warnings: [] }
  const job = await getJob(query, { workspaceId, queue: scenarioQueue, id: scenarioId })
  const none = (reason: string) => ({ freed: null, warnings: [`No floor is closed by the scenario: ${reason}.`] })
  if (job === null) return none('it was deleted')
  const result = job.result as ScenarioResult | null // written by run-scenario.ts
  if (result === null) return none('it is not finished')
  if (!result.is_feasible) return none('it found no places')
  const weekday = weekdayOf(dayOf(date))
  const { name } = job.input as AskedScenario // written by createScenario, from the parsed body
  const free = result.free.filter(({ weekdays }) => weekdays.includes(weekday))
  return { freed: { name, freeIds: new Set(free.map(({ space_id: id }) => id)) }, warnings: [] }
}
