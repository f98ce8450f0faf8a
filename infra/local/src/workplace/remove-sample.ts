import { ApiError, type Client } from '@wp/client'
import type { CompanyTruth } from '@wp/testkit/company'
import {
  datasetNames,
  findSampleDataset,
  findSampleSource,
  readSpaceIds,
  readTeamIds,
  sampleRunPrefix,
} from './sample-ids.ts'

/**
 * Deletes what `loadSample` created: datasets, sources, teams and spaces of the sample, and first the daily plans,
 * scenarios and forecasts that were made of these. Other data stays.
 * @returns the number of deleted resources; 0 if the sample is not loaded
 */
export async function removeSample(client: Client, truth: Pick<CompanyTruth, 'spaces' | 'teams'>): Promise<number> {
  let deleted = 0
  const hasSpaces = (await findSampleDataset(client, 'spaces')) !== undefined
  if (hasSpaces) {
    const teamIds = await readTeamIds(client)
    const spaceIds = await readSpaceIds(client)
    const own = new Set([
      ...truth.teams.flatMap(({ id }) => teamIds.get(id) ?? []),
      ...truth.spaces.flatMap(({ id }) => spaceIds.get(id) ?? []),
    ])
    deleted += await removePlans(client, own)
    // Children come after their parents in both lists.
    for (const { id: externalId } of truth.teams.toReversed()) {
      const id = teamIds.get(externalId)
      if (id !== undefined) deleted += await ifExists(client.solutions.deleteTeam({ params: { id } }))
    }
    for (const { id: externalId } of truth.spaces.toReversed()) {
      const id = spaceIds.get(externalId)
      if (id !== undefined) deleted += await ifExists(client.solutions.deleteSpace({ params: { id } }))
    }
  }
  // The dataset of spaces last: it says that the spaces are those of the sample.
  for (const name of datasetNames.toReversed()) {
    const dataset = await findSampleDataset(client, name)
    if (dataset !== undefined) deleted += await ifExists(client.solutions.deleteDataset({ params: { id: dataset.id } }))
    const source = await findSampleSource(client, name)
    if (source !== undefined)
      deleted += await ifExists(client.data.deleteSource({ params: { data_source_id: source.data_source_id } }))
  }
  return deleted
}

/**
 * Deletes the schedules of daily plans, the scenarios and the forecasts of spaces and teams. A scenario or forecast of
 * the whole workplace is one of them if there are no other spaces.
 */
async function removePlans(client: Client, own: ReadonlySet<string>): Promise<number> {
  let hasOthers = false
  for await (const { id } of client.solutions.listSpaces({ query: { limit: 100 } })) hasOthers ||= !own.has(id)
  const isOwn = (id: string | null | undefined) => (id == null ? !hasOthers : own.has(id))
  const schedules: string[] = []
  const scenarios: string[] = []
  const runs = new Set<string>()
  for await (const { id, space_id: spaceId } of client.solutions.listPlanSchedules({ query: { limit: 100 } }))
    if (isOwn(spaceId)) schedules.push(id)
  for await (const run of client.solutions.listForecastRuns({ query: { limit: 100 } })) {
    const workplace = run.input.workplace as { space_id?: string; team_id?: string } | undefined // of the run's contract
    const isOfSample = run.external_id?.startsWith(sampleRunPrefix) ?? false
    if (isOfSample || (workplace !== undefined && isOwn(workplace.space_id ?? workplace.team_id))) runs.add(run.id)
  }
  for await (const one of client.solutions.listScenarios({ query: { limit: 100 } }))
    if (runs.has(one.forecast_run_id) || isOwn(one.space_id)) scenarios.push(one.id)
  let deleted = 0
  for (const id of schedules) deleted += await ifExists(client.solutions.deletePlanSchedule({ params: { id } }))
  for (const id of scenarios) deleted += await ifExists(client.solutions.deleteScenario({ params: { id } }))
  for (const id of runs) deleted += await ifExists(client.solutions.deleteForecastRun({ params: { id } }))
  return deleted
}

async function ifExists(deletion: Promise<unknown>): Promise<number> {
  try {
    await deletion
    return 1
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 0
    throw error
  }
}
