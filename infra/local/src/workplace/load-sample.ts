import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, fileUpload } from '@wp/client'
import { companyDatasets, companyFiles, mapToIds, readTeams, siteHours } from '@wp/testkit/company'
import { DemoError } from '../demo-error.ts'
import type { SampleCompany } from './sample-company.ts'
import {
  externalIdOf,
  findSampleDataset,
  findSampleSource,
  firstDayKey,
  readSpaceIds,
  readTeamIds,
  type SampleDatasetName,
} from './sample-ids.ts'
import { waitForJob, waitUntilCounted, waitUntilRead } from './wait-for-job.ts'

export interface LoadContext {
  client: Client
  /** Prints a line of progress. */
  print(line: string): void
  signal: AbortSignal
}

/** The spaces, teams and datasets of a loaded company. */
export interface LoadedSample {
  company: SampleCompany
  /** The id of each space and team by its external id. */
  spaceIds: Map<string, string>
  teamIds: Map<string, string>
  datasets: Record<SampleDatasetName, string>
}

/**
 * Loads the files of a company through the API, as a manager would: uploads them, imports spaces and teams, and says
 * what the columns mean. What an earlier run has loaded is kept, so that it can be run again after an interruption.
 *
 * @param unmapped a value of the bookings that gets no space
 * @throws DemoError or ApiError from the first step that fails
 */
export async function loadSample(
  { client, print, signal }: LoadContext,
  company: SampleCompany,
  { unmapped }: { unmapped?: string | undefined } = {},
): Promise<LoadedSample> {
  const { truth, rows } = company
  const load = { client, print, signal, company }
  await requireNoForeignSpaces(client, company)
  const spacesSource = await loadSource(load, 'spaces')
  const spaces = await findOrCreateDataset(load, 'spaces', spacesSource)
  await waitUntilRead(load, spaces)
  const spaceIds = await readSpaceIds(client)
  for (const { externalId, openingHours } of siteHours(truth)) {
    const id = spaceIds.get(externalId)
    if (id === undefined) throw new DemoError(`the site ${externalId} was not imported from ${companyFiles.spaces}`)
    await client.solutions.updateSpace({ params: { id }, body: { opening_hours: openingHours } })
  }
  const teamIds = await createTeams(load, spaceIds)
  print(`${rows.spaces} spaces (sites, buildings, floors, zones, rooms) and ${rows.teams} teams`)
  const peopleSource = await loadSource(load, 'people')
  const people = await findOrCreateDataset(load, 'people', peopleSource, {
    team_map: mapToIds(truth.teamMap, teamIds),
  })
  const bookingsSource = await loadSource(load, 'bookings')
  const { [unmapped ?? '']: _, ...known } = truth.spaceMap.bookings
  const bookings = await findOrCreateDataset(load, 'bookings', bookingsSource, { space_map: mapToIds(known, spaceIds) })
  const badgeSource = await loadSource(load, 'badgeEvents')
  const badgeEvents = await findOrCreateDataset(load, 'badgeEvents', badgeSource, {
    space_map: mapToIds(truth.spaceMap.badges, spaceIds),
  })
  const datasets = { spaces, people, badgeEvents, bookings }
  print('counting: who was where, and for how long')
  for (const id of Object.values(datasets)) await waitUntilRead(load, id)
  const site = spaceIds.get(truth.spaces[0]?.id ?? '')
  if (site !== undefined) await waitUntilCounted(load, site)
  return { company, spaceIds, teamIds, datasets }
}

type Load = LoadContext & { company: SampleCompany }

/** A list of spaces changes spaces of the same external ids: those of the user must not be among them. */
async function requireNoForeignSpaces(client: Client, { truth }: SampleCompany): Promise<void> {
  if ((await findSampleDataset(client, 'spaces')) !== undefined) return
  const ids = await readSpaceIds(client)
  const [foreign] = truth.spaces.filter(({ id }) => ids.has(id))
  if (foreign !== undefined)
    throw new DemoError(
      `the workspace has a space with the external id ${foreign.id}, which the sample would change: use another workspace`,
    )
}

/** Creates the source of a file and uploads it. A source that already has all records stays as it is. */
async function loadSource({ client, print, signal, company }: Load, name: SampleDatasetName): Promise<string> {
  signal.throwIfAborted()
  const { name: title, file, key } = companyDatasets[name]
  const found = await findSampleSource(client, name)
  if (found !== undefined && found.last_synced_at !== null) return found.data_source_id
  const body = {
    name: `Sample: ${title}`,
    provider: 'upload' as const,
    external_id: externalIdOf(name),
    metadata: { [firstDayKey]: company.truth.days[0] ?? '' },
  }
  const { data_source_id: id } =
    found ?? (await client.data.createSource({ body: { ...body, ...(key === undefined ? {} : { config: { key } }) } }))
  const upload = await client.data.uploadRecords(
    { params: { data_source_id: id }, body: await fileUpload(join(company.folder, file)) },
    { signal },
  )
  const { counts, bad_rows: bad } =
    upload.status === 'ok'
      ? upload.data
      : await waitForJob(`the upload of ${file}`, () => client.data.getSync({ params: { id: upload.data.id } }), signal)
  if (bad[0] !== undefined)
    throw new DemoError(`${counts.failed} rows of ${file} were rejected; line ${bad[0].line}: ${bad[0].reason}`)
  print(`${file}: ${company.rows[name].toLocaleString('en')} rows uploaded`)
  return id
}

type Maps = { space_map?: Record<string, string>; team_map?: Record<string, string> }

async function findOrCreateDataset(
  { client }: Load,
  name: SampleDatasetName,
  sourceId: string,
  maps: Maps = {},
): Promise<string> {
  const found = await findSampleDataset(client, name)
  if (found !== undefined) return found.id
  const { kind, name: title, mapping } = companyDatasets[name]
  const body = { name: `Sample: ${title}`, kind, data_source_id: sourceId, mapping, external_id: externalIdOf(name) }
  return (await client.solutions.createDataset({ body: { ...body, ...maps } })).id
}

/** Creates the teams of the list that do not exist, teams of teams first. Returns the ids of all. */
async function createTeams({ client, company }: Load, spaceIds: ReadonlyMap<string, string>) {
  const ids = await readTeamIds(client)
  for (const { externalId, name, parent, home } of readTeams(
    await readFile(join(company.folder, companyFiles.teams), 'utf8'),
  )) {
    if (ids.has(externalId)) continue
    const body = {
      name,
      external_id: externalId,
      parent_id: ids.get(parent) ?? null,
      home_space_id: spaceIds.get(home) ?? null,
    }
    ids.set(externalId, (await client.solutions.createTeam({ body })).id)
  }
  return ids
}
