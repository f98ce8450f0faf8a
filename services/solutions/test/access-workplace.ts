import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'

const workplace = '/v1/solutions/workplace'

const newSpace = { name: 'Head office', kind: 'site', timezone: 'Europe/Berlin', country: 'DE' }
const newTeam = { name: 'Sales', headcount: 12 }

const createSpace = (context: AccessContext): Promise<string> =>
  context.createId(`${workplace}/spaces`, { ...newSpace, name: context.uniqueName() })

const createTeam = (context: AccessContext): Promise<string> =>
  context.createId(`${workplace}/teams`, { ...newTeam, name: context.uniqueName() })

/** Creates a data source with some rows. */
async function createSource(context: AccessContext, rows: readonly object[]): Promise<string> {
  const source = { name: context.uniqueName(), provider: 'upload' }
  const id = await context.createId('/v1/data/sources', source, 'data_source_id')
  await context.create(`/v1/data/sources/${id}/records`, rows)
  return id
}

const attendance = { Person: 'p1', Day: '2026-03-02', Office: 'Reception', Unit: 'Marketing' }
const attendanceMapping = { person: 'Person', date: 'Day', space: 'Office', team: 'Unit' }

async function newDataset(context: AccessContext): Promise<object> {
  const sourceId = await createSource(context, [attendance])
  return { name: 'Badges', kind: 'attendance_days', data_source_id: sourceId, mapping: attendanceMapping }
}

/** Creates a dataset and waits for its first refresh, which changes it. */
async function createDataset(context: AccessContext): Promise<string> {
  const id = await context.createId(`${workplace}/datasets`, await newDataset(context))
  await eventually(async () => (await context.read(`${workplace}/datasets/${id}`)).refreshed_at, {
    description: 'the end of the refresh',
    intervalMs: 50,
  })
  return id
}

/** Creates a site that twelve people were at on two days, and that had bookings, and waits until it is counted. */
async function createCountedSite(context: AccessContext): Promise<string> {
  const name = context.uniqueName()
  const id = await context.createId(`${workplace}/spaces`, { ...newSpace, name, capacity: 20 })
  const days = ['2026-03-02', '2026-03-03']
  const people = Array.from({ length: 12 }, (_, index) => `p${index}`)
  const visits = days.flatMap((Day) => people.map((Person) => ({ Person, Day, Office: name })))
  const bookings = days.flatMap((Day) =>
    people.map((_, index) => ({
      ...{ Room: name, Start: `${Day}T09:00:00`, End: `${Day}T10:30:00`, Used: index < 9 ? 'yes' : 'no' },
    })),
  )
  await context.create(`${workplace}/datasets`, {
    ...{ name: 'Attendance', kind: 'attendance_days', data_source_id: await createSource(context, visits) },
    mapping: { person: 'Person', date: 'Day', space: 'Office' },
  })
  await context.create(`${workplace}/datasets`, {
    ...{ name: 'Bookings', kind: 'bookings', data_source_id: await createSource(context, bookings) },
    mapping: { space: 'Room', start: 'Start', end: 'End', checked_in: 'Used' },
  })
  const isCounted = async () => {
    const rows = await context.read(`${workplace}/utilization?space_id=${id}&${period}`)
    const noShows = await context.read(`${workplace}/no-shows?space_id=${id}&${period}`)
    return rows.length === 2 && rows[0].attendance === 12 && noShows.length === 2
  }
  await eventually(isCounted, { description: 'the figures of the site', intervalMs: 100 })
  return id
}
const period = 'since=2026-03-02&until=2026-03-04'

/** The site that is read, of each fleet. Figures of people are counted once only. */
const countedSites = new WeakMap<AccessContext['fleet'], Promise<string>>()
function countedSite(context: AccessContext): Promise<string> {
  const site = countedSites.get(context.fleet) ?? createCountedSite(context)
  countedSites.set(context.fleet, site)
  return site
}

const ofCountedSite = async (context: AccessContext) => ({ query: `space_id=${await countedSite(context)}&${period}` })

const forecastBody = {
  ...{ workplace: { level: 'team' }, frequency: 'day', timezone: 'Europe/Berlin', horizon: 7 },
}

/** A finished forecast of teams of each fleet, and a scenario that is made from it. */
const teamForecasts = new WeakMap<AccessContext['fleet'], Promise<string>>()

async function createTeamForecast(context: AccessContext): Promise<string> {
  const name = context.uniqueName()
  const site = await context.createId(`${workplace}/spaces`, { ...newSpace, name })
  await context.createId(`${workplace}/spaces`, { name: 'Floor 1', kind: 'floor', parent_id: site, capacity: 40 })
  const team = await context.createId(`${workplace}/teams`, { name, headcount: 12, home_space_id: site })
  const days = Array.from({ length: 112 }, (_, day) => new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10))
  const people = Array.from({ length: 12 }, (_, index) => `${name} ${index}`)
  const visits = days.flatMap((Day, day) =>
    day % 7 > 4 ? [] : people.slice(0, 6 + (day % 5)).map((Person) => ({ Person, Day, Office: name, Unit: name })),
  )
  await context.create(`${workplace}/datasets`, {
    ...{ name: 'Attendance', kind: 'attendance_days', data_source_id: await createSource(context, visits) },
    ...{ mapping: attendanceMapping, team_map: { [name]: team }, space_map: { [name]: site } },
  })
  await eventually(
    async () =>
      (await context.read(`${workplace}/utilization?team_id=${team}&since=2026-01-05&until=2026-04-27`)).length >= 80,
    {
      description: 'the figures of the team',
      intervalMs: 100,
    },
  )
  const run = await context.createId(`${workplace}/forecast/runs`, {
    ...forecastBody,
    workplace: { level: 'team', team_id: team },
  })
  const isFinished = async () => {
    const { status, error } = await context.read(`${workplace}/forecast/runs/${run}`)
    if (status === 'failed') throw new Error(error.message)
    return status === 'finished'
  }
  await eventually(isFinished, {
    description: 'the forecast of the team',
    intervalMs: 100,
  })
  return run
}

function teamForecast(context: AccessContext): Promise<string> {
  const run = teamForecasts.get(context.fleet) ?? createTeamForecast(context)
  teamForecasts.set(context.fleet, run)
  return run
}

const newScenario = async (context: AccessContext) => ({ name: 'Floors', forecast_run_id: await teamForecast(context) })

async function createScenario(context: AccessContext): Promise<string> {
  return context.createId(`${workplace}/scenarios`, await newScenario(context))
}

/** Creates a scenario and waits for its result. */
async function createFinishedScenario(context: AccessContext): Promise<string> {
  const id = await createScenario(context)
  await eventually(async () => (await context.read(`${workplace}/scenarios/${id}`)).status === 'finished', {
    description: 'the result of the scenario',
    intervalMs: 50,
  })
  return id
}

const spaceParams = async (context: AccessContext) => ({ id: await createSpace(context) })
const teamParams = async (context: AccessContext) => ({ id: await createTeam(context) })
const datasetParams = async (context: AccessContext) => ({ id: await createDataset(context) })

export const workplaceFixtures: AccessFixtures = {
  'solutions.listSpaces': {},
  'solutions.createSpace': {
    request: { body: newSpace },
    async foreignReference(context) {
      const floor = { name: 'First floor', kind: 'floor', parent_id: await createSpace(context) }
      return { body: floor, pointer: '/parent_id' }
    },
  },
  'solutions.getSpace': { params: spaceParams },
  'solutions.updateSpace': { params: spaceParams, request: { body: { name: 'North', capacity: 120 } } },
  'solutions.deleteSpace': { params: spaceParams },
  'solutions.listTeams': {},
  'solutions.createTeam': {
    request: { body: newTeam },
    foreignReference: async (context) => ({
      body: { ...newTeam, home_space_id: await createSpace(context) },
      pointer: '/home_space_id',
    }),
  },
  'solutions.getTeam': { params: teamParams },
  'solutions.updateTeam': { params: teamParams, request: { body: { name: 'Sales', max_floors: 1 } } },
  'solutions.deleteTeam': { params: teamParams },
  'solutions.listDatasets': {},
  'solutions.createDataset': {
    buildRequest: async (context) => ({ body: await newDataset(context) }),
    foreignReference: async (context) => ({ body: await newDataset(context), pointer: '/data_source_id' }),
  },
  'solutions.getDataset': { params: datasetParams },
  'solutions.updateDataset': { params: datasetParams, request: { body: { name: 'Badges of the head office' } } },
  'solutions.deleteDataset': { params: datasetParams },
  'solutions.listDatasetValues': { params: datasetParams },
  'solutions.refreshDataset': {
    params: datasetParams,
    request: { body: { full: false } },
    alternativeBody: { full: true },
  },
  'solutions.getDatasetRefresh': {
    async params(context) {
      const dataset = await context.read(`${workplace}/datasets/${await createDataset(context)}`)
      return { id: dataset.last_refresh_id }
    },
  },
  'solutions.getUtilization': { buildRequest: ofCountedSite },
  'solutions.getUtilizationContent': { buildRequest: ofCountedSite },
  'solutions.listNoShows': { buildRequest: ofCountedSite },
  'solutions.listScenarios': {},
  'solutions.createScenario': {
    buildRequest: async (context) => ({ body: await newScenario(context) }),
    foreignReference: async (context) => ({ body: await newScenario(context), pointer: '/forecast_run_id' }),
  },
  'solutions.getScenario': { params: async (context) => ({ id: await createFinishedScenario(context) }) },
  'solutions.cancelScenario': {
    async params(context) {
      // One is solved at a time, so that the last one waits.
      for (let before = 0; before < 3; before++) await createScenario(context)
      return { id: await createScenario(context) }
    },
  },
  'solutions.compareScenarios': {
    params: async (context) => ({ id: await createFinishedScenario(context) }),
    buildRequest: async (context) => ({ query: `with=${await createFinishedScenario(context)}` }),
  },
  'solutions.getWorkplaceSettings': {},
  'solutions.updateWorkplaceSettings': {
    request: { body: { privacy_threshold: 6 } },
    alternativeBody: { privacy_threshold: 7 },
  },
}
