import type { Client } from '@wp/client'
import { companyDatasets } from '@wp/testkit/company'

export type SampleDatasetName = keyof typeof companyDatasets

/** The external id of the source and of the dataset of a file, by which another run finds them. */
export const externalIdOf = (name: SampleDatasetName): string => `workplace-sample-${companyDatasets[name].kind}`

/** The beginning of the external id of the forecasts that are made of the sample. */
export const sampleRunPrefix = 'workplace-sample-forecast-'

/** The key of the metadata of each source of the sample that says for which first day its file was made. */
export const firstDayKey = 'sample_first_day'

export const datasetNames = Object.keys(companyDatasets) as SampleDatasetName[] // the keys of a constant object

/** Reads the id of each space by its external id. */
export async function readSpaceIds(client: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for await (const { id, external_id: externalId } of client.solutions.listSpaces({ query: { limit: 100 } }))
    if (externalId !== null) ids.set(externalId, id)
  return ids
}

/** Reads the id of each team by its external id. */
export async function readTeamIds(client: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for await (const { id, external_id: externalId } of client.solutions.listTeams({ query: { limit: 100 } }))
    if (externalId !== null) ids.set(externalId, id)
  return ids
}

/** Returns the source of a file of the sample, if there is one. */
export async function findSampleSource(client: Client, name: SampleDatasetName) {
  const { items } = await client.data.listSources({ query: { external_id: externalIdOf(name) } })
  return items[0]
}

/** Returns the dataset of a file of the sample, if there is one. */
export async function findSampleDataset(client: Client, name: SampleDatasetName) {
  const { items } = await client.solutions.listDatasets({ query: { external_id: externalIdOf(name) } })
  return items[0]
}
