import { ApiError, type Client } from '@wp/client/browser'
import { readAll } from '../api/read-all.ts'
import { isSample, sampleMetadata } from './sample-names.ts'

type Report = (step: string, share: number) => void

/** The filter of lists: only what the sample building consists of. */
const query = { limit: 100, metadata: sampleMetadata } as const

/**
 * Deletes the sample building with its files, figures and plans. What is gone already is passed over, so that it can be
 * run again after it failed. The site goes last: while it is there, the sample is.
 */
export async function removeSample(api: Client, report: Report): Promise<void> {
  report('Removing the daily plan', 0.1)
  for (const { id } of (await api.solutions.listPlanSchedules({ query })).items)
    await ifExists(api.solutions.deletePlanSchedule({ params: { id } }))
  report('Removing scenarios and forecasts', 0.2)
  await deleteForecasts(api)
  report('Removing the files', 0.35)
  for (const { id } of (await api.solutions.listDatasets({ query })).items)
    await ifExists(api.solutions.deleteDataset({ params: { id } }))
  for (const { data_source_id } of (await api.data.listSources({ query })).items)
    await ifExists(api.data.deleteSource({ params: { data_source_id } }))
  report('Removing the teams', 0.65)
  for (const { id } of (await api.solutions.listTeams({ query })).items)
    await ifExists(api.solutions.deleteTeam({ params: { id } }))
  report('Removing the building', 0.8)
  // Newest first: rooms and floors come before what they are in.
  for (const { id } of (await api.solutions.listSpaces({ query })).items)
    await ifExists(api.solutions.deleteSpace({ params: { id } }))
}

/**
 * Deletes the forecasts of the sample with the scenarios made of them, those of the platform too. Recommendations that
 * were accepted or dismissed stay, as what became of them does.
 */
async function deleteForecasts(api: Client): Promise<void> {
  const runs = (await api.solutions.listForecastRuns({ query })).items.filter(isSample)
  for (const { id: runId } of runs) {
    const scenarios = await readAll((page) =>
      api.solutions.listScenarios({ query: { ...page, forecast_run_id: runId } }),
    )
    for (const { id } of scenarios) await ifExists(api.solutions.deleteScenario({ params: { id } }))
    await ifExists(api.solutions.deleteForecastRun({ params: { id: runId } }))
  }
}

async function ifExists(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
