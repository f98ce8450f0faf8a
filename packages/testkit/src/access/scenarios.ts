import { eventually } from '../eventually.ts'
import type { AccessContext } from './access-context.ts'

const workplace = '/v1/solutions/workplace'

const forecastBody = { workplace: { level: 'team' }, frequency: 'day', timezone: 'Europe/Berlin', horizon: 14 }

/** Creates a finished forecast of teams. */
async function createTeamForecast(context: AccessContext): Promise<string> {
  const name = context.uniqueName()
  const site = await context.createId(`${workplace}/spaces`, {
    name,
    kind: 'site',
    timezone: 'Europe/Berlin',
    country: 'DE',
  })
  await context.createId(`${workplace}/spaces`, { name: 'Floor 1', kind: 'floor', parent_id: site, capacity: 60 })
  const team = await context.createId(`${workplace}/teams`, { name, headcount: 40, home_space_id: site })
  const days = Array.from({ length: 112 }, (_, day) => new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10))
  const people = Array.from({ length: 40 }, (_, index) => `${name} ${index}`)
  const visits = days.flatMap((Day, day) =>
    day % 7 > 4 ? [] : people.slice(0, 20 + (day % 5)).map((Person) => ({ Person, Day, Office: name, Unit: name })),
  )
  const source = { name: context.uniqueName(), provider: 'upload' }
  const sourceId = await context.createId('/v1/data/sources', source, 'data_source_id')
  await context.create(`/v1/data/sources/${sourceId}/records`, visits)
  await context.create(`${workplace}/datasets`, {
    name: 'Attendance',
    kind: 'attendance_days',
    data_source_id: sourceId,
    mapping: { person: 'Person', date: 'Day', space: 'Office', team: 'Unit' },
    team_map: { [name]: team },
    space_map: { [name]: site },
  })
  const isCounted = async () => {
    const rows = await context.read(`${workplace}/utilization?team_id=${team}&since=2026-01-05&until=2026-04-27`)
    return (
      rows.filter(({ attendance }: { attendance: number | null }) => attendance !== null && attendance > 0).length ===
      80
    )
  }
  await eventually(isCounted, { description: 'the figures of the team', intervalMs: 100 })
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

/** A request of a scenario. */
export const newScenario = async (context: AccessContext) => ({
  name: 'Floors',
  forecast_run_id: await context.createOnce(createTeamForecast),
})

/** Creates a scenario and waits for its result. */
export async function createFinishedScenario(context: AccessContext): Promise<string> {
  const id = await context.createId(`${workplace}/scenarios`, await newScenario(context))
  await eventually(async () => (await context.read(`${workplace}/scenarios/${id}`)).status === 'finished', {
    description: 'the result of the scenario',
    intervalMs: 50,
  })
  return id
}
