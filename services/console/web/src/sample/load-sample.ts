import type { Client } from '@wp/client/browser'
import { generateSample, type SampleBuilding, siteName } from './generate-sample.ts'
import { completeMetadata, sampleMetadata } from './sample-names.ts'
import { waitFor, waitForJob } from './wait.ts'

type Report = (step: string, share: number) => void

const seed = 20_260_305
const timezone = 'Europe/Berlin'
const horizon = 14

/**
 * Loads the sample building through the API, as a manager's files would come. What an earlier attempt has made is kept,
 * so that it can be run again after it failed.
 * @throws ApiError or Error from the first step that fails
 */
export async function loadSample(api: Client, report: Report): Promise<void> {
  const building = generateSample(seed, new Date().toLocaleDateString('sv-SE', { timeZone: timezone }))
  report('Creating the building', 0.02)
  const spaces = await createSpaces(api, building)
  report('Creating the teams', 0.1)
  await createTeams(api, building, spaces)
  report('Uploading the badge events', 0.18)
  const badges = await upload(api, 'badge_events', 'Badge events (sample)', building.badgeFile)
  report('Uploading the bookings', 0.3)
  const bookings = await upload(api, 'bookings', 'Room bookings (sample)', building.bookingsFile)
  report('Counting who was where', 0.38)
  const mapping = { person: 'Badge', time: 'Time', space: 'Reader', team: 'Team', direction: 'Event' }
  await createDataset(api, { kind: 'badge_events', data_source_id: badges, mapping, space_map: spaces.floors })
  await createDataset(api, {
    kind: 'bookings',
    data_source_id: bookings,
    space_map: spaces.rooms,
    mapping: {
      space: 'Room',
      start: 'Start',
      end: 'End',
      attendees: 'Attendees',
      checked_in: 'Checked in',
      cancelled: 'Cancelled',
    },
  })
  await waitFor(async () => {
    const { meta } = await api.solutions.getUtilization({ query: { space_id: spaces.siteId } })
    return meta.pending_weeks === 0
  })
  report('Forecasting the floors', 0.55)
  await forecast(api, spaces.siteId, 'floor')
  report('Forecasting the teams', 0.68)
  const forecastRunId = await forecast(api, spaces.siteId, 'team')
  report('Finding floors that can close', 0.8)
  await createScenario(api, spaces.siteId, forecastRunId)
  report('Writing the plan of the day', 0.95)
  await createPlan(api, spaces.siteId)
  await api.solutions.updateSpace({ params: { id: spaces.siteId }, body: { metadata: completeMetadata } })
}

interface Spaces {
  siteId: SpaceId
  /** Ids by name. */
  floors: Record<string, SpaceId>
  rooms: Record<string, SpaceId>
}
type SpaceId = Awaited<ReturnType<Client['solutions']['createSpace']>>['id']
type NewSpace = Parameters<Client['solutions']['createSpace']>[0]['body']

async function createSpaces(api: Client, { floors, rooms }: SampleBuilding): Promise<Spaces> {
  const create = async (externalId: string, body: NewSpace): Promise<SpaceId> => {
    const { items } = await api.solutions.listSpaces({ query: { external_id: externalId } })
    const found = items[0]?.id
    if (found !== undefined) return found
    const space = { ...body, external_id: externalId, metadata: sampleMetadata }
    return (await api.solutions.createSpace({ body: space })).id
  }
  const siteId = await create('sample-site', {
    name: siteName,
    kind: 'site',
    timezone,
    country: 'DE',
    subdivision: 'HH',
  })
  const spaces: Spaces = { siteId, floors: {}, rooms: {} }
  for (const [index, { name, capacity, annualCost }] of floors.entries()) {
    const cost = { annual_cost: { amount: annualCost * 100, currency: 'EUR' }, avoidable_share: 0.35 }
    const floor = { name, kind: 'floor', parent_id: siteId, capacity, ...cost } as const
    const floorId = await create(`sample-floor-${index}`, floor)
    spaces.floors[name] = floorId
    const room = rooms[index]
    if (room !== undefined)
      spaces.rooms[room.name] = await create(`sample-room-${index}`, { ...room, kind: 'room', parent_id: floorId })
  }
  return spaces
}

async function createTeams(api: Client, { teams, floors }: SampleBuilding, spaces: Spaces): Promise<void> {
  for (const [index, { name, headcount, floor }] of teams.entries()) {
    const externalId = `sample-team-${index}`
    const { items } = await api.solutions.listTeams({ query: { external_id: externalId } })
    if (items.length > 0) continue
    const home = spaces.floors[floors[floor]?.name ?? ''] ?? null
    const body = { name, headcount, home_space_id: home, external_id: externalId, metadata: sampleMetadata }
    await api.solutions.createTeam({ body })
  }
}

/** Creates the source of a file and uploads it. @returns the id of the source */
async function upload(api: Client, kind: string, name: string, file: string) {
  const externalId = `sample-${kind}`
  const { items } = await api.data.listSources({ query: { external_id: externalId } })
  const source =
    items[0] ??
    (await api.data.createSource({
      body: { name, provider: 'upload', external_id: externalId, metadata: sampleMetadata },
    }))
  const { data_source_id: id } = source
  // An interrupted upload is sent again: the same rows change nothing.
  if (source.last_synced_at !== null) return id
  const body = { contentType: 'text/csv', content: file }
  const { status, data } = await api.data.uploadRecords({ params: { data_source_id: id }, body })
  if (status === 'accepted') await waitForJob(() => api.data.getSync({ params: { id: data.id } }))
  return id
}

type NewDataset = Parameters<Client['solutions']['createDataset']>[0]['body']

async function createDataset(api: Client, dataset: Omit<NewDataset, 'name'>): Promise<void> {
  const externalId = `sample-${dataset.kind}`
  const { items } = await api.solutions.listDatasets({ query: { external_id: externalId } })
  const name = dataset.kind === 'bookings' ? 'Room bookings (sample)' : 'Badge events (sample)'
  const body = { ...dataset, name, external_id: externalId, metadata: sampleMetadata }
  const { id } = items[0] ?? (await api.solutions.createDataset({ body }))
  await waitFor(async () => (await api.solutions.getDataset({ params: { id } })).refreshed_at !== null)
}

/** Forecasts floors or teams for two weeks, unless an earlier attempt has. @returns the id of the finished run */
async function forecast(api: Client, siteId: SpaceId, level: 'floor' | 'team') {
  // A former sample had other spaces, so its forecasts do not count.
  const externalId = `sample-${level}-${siteId}`
  const { items } = await api.solutions.listForecastRuns({ query: { external_id: externalId, status: 'finished' } })
  const found = items[0]?.id
  if (found !== undefined) return found
  const { id } = await api.solutions.startForecastRun({
    body: {
      workplace: { level },
      frequency: 'day',
      timezone,
      horizon,
      external_id: externalId,
      metadata: sampleMetadata,
    },
  })
  await waitForJob(() => api.solutions.getForecastRun({ params: { id } }))
  return id
}

type RunId = Awaited<ReturnType<Client['solutions']['startForecastRun']>>['id']

async function createScenario(api: Client, siteId: SpaceId, forecastRunId: RunId): Promise<void> {
  const externalId = `sample-${siteId}`
  const { items } = await api.solutions.listScenarios({ query: { external_id: externalId } })
  const body = {
    name: 'Fewer floors on quiet days (sample)',
    forecast_run_id: forecastRunId,
    space_id: siteId,
    time_limit_seconds: 20,
    external_id: externalId,
    metadata: sampleMetadata,
  }
  const { id } = items[0] ?? (await api.solutions.createScenario({ body }))
  await waitForJob(() => api.solutions.getScenario({ params: { id } }))
}

async function createPlan(api: Client, siteId: SpaceId): Promise<void> {
  const { items } = await api.solutions.listPlanSchedules({ query: { space_id: siteId } })
  const body = { name: 'Every morning (sample)', space_id: siteId, metadata: sampleMetadata }
  const { id } = items[0] ?? (await api.solutions.createPlanSchedule({ body }))
  await api.solutions.runPlanSchedule({ params: { id }, query: { date: nextWorkday() } })
}

/** Returns today, or the Monday after: the plan of a weekend has nothing to show. */
function nextWorkday(): string {
  const day = new Date(`${new Date().toLocaleDateString('sv-SE', { timeZone: timezone })}T00:00Z`)
  day.setUTCDate(day.getUTCDate() + ([1, 0, 0, 0, 0, 0, 2][day.getUTCDay()] ?? 0))
  return day.toISOString().slice(0, 10)
}
