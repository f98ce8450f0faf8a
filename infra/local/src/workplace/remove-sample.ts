import { ApiError, type Client } from '@wp/client'
import type { CompanyTruth } from '@wp/testkit/company'
import { datasetNames, findSampleDataset, findSampleSource, readSpaceIds, readTeamIds } from './sample-ids.ts'

/**
 * Deletes what `loadSample` created: datasets, sources, teams and spaces of the sample. Other data stays.
 * @returns the number of deleted resources; 0 if the sample is not loaded
 */
export async function removeSample(client: Client, truth: Pick<CompanyTruth, 'spaces' | 'teams'>): Promise<number> {
  let deleted = 0
  const hasSpaces = (await findSampleDataset(client, 'spaces')) !== undefined
  if (hasSpaces) {
    // Children come after their parents in both lists.
    const teamIds = await readTeamIds(client)
    for (const { id: externalId } of truth.teams.toReversed()) {
      const id = teamIds.get(externalId)
      if (id !== undefined) deleted += await ifExists(client.solutions.deleteTeam({ params: { id } }))
    }
    const spaceIds = await readSpaceIds(client)
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

async function ifExists(deletion: Promise<unknown>): Promise<number> {
  try {
    await deletion
    return 1
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 0
    throw error
  }
}
