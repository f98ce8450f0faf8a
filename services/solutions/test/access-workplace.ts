import { weekdays } from '@wp/contracts'
import { type AccessContext, type AccessFixtures, createFinishedScenario, eventually, newScenario } from '@wp/testkit'

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

/**
 * Creates a site that twelve people were at on two days, and that had bookings, and waits until it is counted. Figures
 * of people are counted once only.
 */
async function createCountedSite(context: AccessContext): Promise<string> {
  const name = context.uniqueName()
  const id = await context.createId(`${workplace}/spaces`, { ...newSpace, name, capacity: 20 })
  const days = ['2026-03-02', '2026-03-03']
  const people = Array.from({ length: 12 }, (_, index) => `p${index}`)
  const visits = days.flatMap((Day) => people.map((Person) => ({ Person, Day, Office: name })))
  const bookings = days.flatMap((Day) =>
    people.map((_, index) => ({
      Room: name,
      Start: `${Day}T09:00:00`,
      End: `${Day}T10:30:00`,
      Used: index < 9 ? 'yes' : 'no',
    })),
  )
  await context.create(`${workplace}/datasets`, {
    name: 'Attendance',
    kind: 'attendance_days',
    data_source_id: await createSource(context, visits),
    mapping: { person: 'Person', date: 'Day', space: 'Office' },
  })
  await context.create(`${workplace}/datasets`, {
    name: 'Bookings',
    kind: 'bookings',
    data_source_id: await createSource(context, bookings),
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

const ofCountedSite = async (context: AccessContext) => ({
  query: `space_id=${await context.createOnce(createCountedSite)}&${period}`,
})

const createOtherScenario = (context: AccessContext) => createFinishedScenario(context)

/** Creates a scenario that is not solved yet. */
const createScenario = async (context: AccessContext): Promise<string> =>
  context.createId(`${workplace}/scenarios`, await newScenario(context))

const everyDay = Object.fromEntries(weekdays.map((weekday) => [weekday, { from: '07:00', to: '20:00' }]))

/** A plan schedule of a site of its own, since a site has one. Its plans are alike on every day. */
async function createPlanSchedule(context: AccessContext): Promise<string> {
  const site = { name: context.uniqueName(), kind: 'site', timezone: 'Europe/Berlin', opening_hours: everyDay }
  const siteId = await context.createId(`${workplace}/spaces`, site)
  await context.createId(`${workplace}/spaces`, { name: 'Floor 1', kind: 'floor', parent_id: siteId, capacity: 60 })
  return context.createId(`${workplace}/plan-schedules`, { name: 'Mornings', space_id: siteId })
}

const planScheduleParams = async (context: AccessContext) => ({ id: await createPlanSchedule(context) })

const createPlan = async (context: AccessContext): Promise<string> =>
  context.createId(`${workplace}/plan-schedules/${await createPlanSchedule(context)}/run`, {})

const spaceParams = async (context: AccessContext) => ({ id: await createSpace(context) })
const teamParams = async (context: AccessContext) => ({ id: await createTeam(context) })
const datasetParams = async (context: AccessContext) => ({ id: await createDataset(context) })
/** Of a scenario that is only read. */
const readScenarioParams = async (context: AccessContext) => ({ id: await context.createOnce(createFinishedScenario) })

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
      const dataset = await context.read(`${workplace}/datasets/${await context.createOnce(createDataset)}`)
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
  'solutions.getScenario': { params: readScenarioParams },
  'solutions.getScenarioContent': {
    params: readScenarioParams,
    buildRequest: async () => ({ query: 'format=csv' }),
  },
  'solutions.cancelScenario': {
    async params(context) {
      // One is solved at a time, so that the last one waits.
      for (let before = 0; before < 2; before++) await createScenario(context)
      return { id: await createScenario(context) }
    },
  },
  'solutions.deleteScenario': {
    // One that is not solved any more does not change, so that its entity tag stays.
    params: async (context) => ({
      id: await context.createId(`${workplace}/scenarios/${await createScenario(context)}/cancel`),
    }),
  },
  'solutions.compareScenarios': {
    params: readScenarioParams,
    buildRequest: async (context) => ({ query: `other_id=${await context.createOnce(createOtherScenario)}` }),
  },
  'solutions.listPlanSchedules': {},
  'solutions.createPlanSchedule': {
    buildRequest: async (context) => ({ body: { name: 'Mornings', space_id: await createSpace(context) } }),
    foreignReference: async (context) => ({
      body: { name: 'Mornings', space_id: await createSpace(context) },
      pointer: '/space_id',
    }),
  },
  'solutions.getPlanSchedule': { params: planScheduleParams },
  'solutions.updatePlanSchedule': { params: planScheduleParams, request: { body: { local_time: '05:30' } } },
  'solutions.deletePlanSchedule': { params: planScheduleParams },
  'solutions.runPlanSchedule': { params: planScheduleParams },
  'solutions.listPlans': {},
  'solutions.getPlan': { params: async (context) => ({ id: await createPlan(context) }) },
  'solutions.getWorkplaceSettings': {},
  'solutions.updateWorkplaceSettings': {
    request: { body: { privacy_threshold: 6 } },
    alternativeBody: { privacy_threshold: 7 },
  },
}
