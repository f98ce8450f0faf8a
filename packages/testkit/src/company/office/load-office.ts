import { eventually } from '../../eventually.ts'

const workplace = '/v1/solutions/workplace'

/** Sends requests as one workspace. */
export interface OfficeClient {
  /** Sends a POST and returns `data`. @throws Error if it fails */
  // biome-ignore lint/suspicious/noExplicitAny: as the responses of every shape
  create(path: string, body: unknown): Promise<any>
  /** Sends a GET and returns `data`. @throws Error if it fails */
  // biome-ignore lint/suspicious/noExplicitAny: as the responses of every shape
  read(path: string): Promise<any>
}

/** A site of three floors, each with a team of 20 people at home on it. */
export interface Office {
  siteId: string
  /** Floor 1 to 3, with 40 places each. */
  floorIds: string[]
  teamIds: string[]
  /** Forecasts all teams for a week and waits for it. @returns the id of the run */
  forecast(): Promise<string>
}

const [days, horizon] = [84, 7]

/** A Monday: twelve weeks without a holiday, and none in the one after them. */
const usualFirstDay = Date.UTC(2024, 5, 3)
/** Of 20 people, those who come from Monday to Friday: all fit on one floor but on Wednesdays. */
const attendance = [9, 11, 15, 11, 6]
const teamNames = ['Sales', 'Design', 'Support']
const floorCost = { annual_cost: { amount: 30_000_000, currency: 'EUR' }, avoidable_share: 0.4 }

/**
 * Loads an office of few rows, which is counted within seconds: two of its floors can close on most weekdays.
 * @param label added to the names of the site and of the teams
 * @param firstDay the Monday of the first of twelve weeks, as milliseconds since 1970
 */
export async function loadOffice(
  { create, read }: OfficeClient,
  { name = 'Munich', label = '', firstDay = usualFirstDay } = {},
): Promise<Office> {
  const dateOf = (day: number) => new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10)
  const site = { name: `${name} ${label}`.trim(), kind: 'site', timezone: 'Europe/Berlin', country: 'DE' }
  const { id: siteId } = await create(`${workplace}/spaces`, site)
  const floorIds: string[] = []
  const teamIds: string[] = []
  for (const [at, team] of teamNames.entries()) {
    const floor = { name: `Floor ${at + 1}`, kind: 'floor', parent_id: siteId, capacity: 40, ...floorCost }
    floorIds.push((await create(`${workplace}/spaces`, floor)).id)
    const body = { name: `${team} ${label}`.trim(), headcount: 20, home_space_id: floorIds[at] }
    teamIds.push((await create(`${workplace}/teams`, body)).id)
  }
  const source = await create('/v1/data/sources', { name: `Attendance of ${name}`, provider: 'upload' })
  await create(`/v1/data/sources/${source.data_source_id}/records`, visitsOf(name, dateOf))
  await create(`${workplace}/datasets`, {
    name: 'Attendance',
    kind: 'attendance_days',
    data_source_id: source.data_source_id,
    mapping: { person: 'Person', date: 'Day', space: 'Floor', team: 'Unit' },
    space_map: Object.fromEntries(floorIds.map((id, at) => [`${name} ${at + 1}`, id])),
    team_map: Object.fromEntries(teamIds.map((id, at) => [`${name} ${teamNames[at]}`, id])),
  })
  const isCounted = async () => {
    const period = `since=${dateOf(0)}&until=${dateOf(days)}`
    const rows = await read(`${workplace}/utilization?space_id=${siteId}&${period}`)
    return rows.filter((row: { attendance: number | null }) => (row.attendance ?? 0) > 0).length === (days / 7) * 5
  }
  await eventually(isCounted, { description: 'the figures of the office', intervalMs: 100 })
  return { siteId, floorIds, teamIds, forecast: () => forecastTeams({ create, read }) }
}

function visitsOf(office: string, dateOf: (day: number) => string): object[] {
  return Array.from({ length: days }, (_, day) => day).flatMap((day) =>
    teamNames.flatMap((team, at) => {
      const usual = attendance[day % 7]
      // Weeks and teams differ, so that sample paths do.
      const people = usual === undefined ? 0 : usual + ((Math.floor(day / 7) + at) % 3) - 1
      return Array.from({ length: people }, (_, person) => ({
        Person: `${office} ${team} ${person}`,
        Day: dateOf(day),
        Floor: `${office} ${at + 1}`,
        Unit: `${office} ${team}`,
      }))
    }),
  )
}

async function forecastTeams({ create, read }: OfficeClient): Promise<string> {
  const body = { workplace: { level: 'team' }, frequency: 'day', timezone: 'Europe/Berlin', horizon }
  const { id } = await create(`${workplace}/forecast/runs`, body)
  const isFinished = async () => {
    const { status, error } = await read(`${workplace}/forecast/runs/${id}`)
    if (status === 'failed') throw new Error(error.message)
    return status === 'finished'
  }
  await eventually(isFinished, { description: 'the forecast of the teams', intervalMs: 100 })
  return id
}
