import { type Weekday, weekdays } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Job } from '@wp/jobs'
import { failure } from '../failure.ts'
import type { RunResult } from '../runs/input/run-input.ts'
import { unpackPaths } from '../runs/workplace/pack-paths.ts'
import { findForecastPaths } from '../store/forecast-paths.ts'
import { type CostedSpace, findCostedSpaces } from '../store/spaces.ts'
import { findPlacedTeams, type PlacedTeam } from '../store/teams.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf, weekdayOf } from '../workplace/local-days.ts'
import { buildTree, pathOf, type Tree } from '../workplace/tree.ts'
import type { ScenarioFloor, ScenarioInput, ScenarioTeam } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'

/**
 * Reads what a scenario is computed from: the floors in its space, and the teams that sit in it, with their paths.
 * @throws JobFailure if nothing can be planned
 */
export async function readScenario(
  query: Query,
  workspaceId: string,
  asked: AskedScenario,
  run: Job,
): Promise<ScenarioInput> {
  const spaces = buildTree(await findCostedSpaces(query, workspaceId))
  const teams = buildTree(await findPlacedTeams(query, workspaceId))
  const result = run.result as RunResult & { history_until?: string } // written by run-workplace-forecast.ts
  const rows = await findForecastPaths(query, workspaceId, asked.forecast_run_id)
  const [first] = rows
  if (first === undefined || result.history_until === undefined)
    throw failure('conflict', 'The sample paths of the forecast are not kept any more: forecast again.')
  const root = asked.space_id
  const isWithin = (id: string) => root === null || pathOf(spaces, id).some((space) => space.id === root)
  const open = openWeekdays(spaces, root)
  const floors = floorsOf(spaces, asked, open, isWithin)
  if (floors.length === 0)
    throw failure(
      'no_data',
      'The space has no floors with a capacity: state the capacity of each floor, or of what is in it.',
    )
  const positions = floorPositions(spaces, floors)
  const placed: ScenarioTeam[] = []
  const forecast = new Set(rows.map(({ node }) => node))
  for (const row of rows) {
    const path = pathOf(teams, row.node)
    const homes = homesOf(path, { teams, spaces, forecast })
    if (path.length === 0 || !homes.every(isWithin) || (homes.length === 0 && root !== null)) continue
    const home = homes.length === 1 ? (homes[0] ?? null) : null
    placed.push({ ...teamOf(path, { teams, asked, positions, home, open, row }), paths: await unpackPaths(row) })
  }
  if (placed.length === 0)
    throw failure(
      'no_data',
      'No team of the forecast sits in the space: state the home_space_id of the teams, or of those around them.',
    )
  const size = placed.length * floors.length * open.length
  if (size > maxSize)
    throw failure(
      'validation_failed',
      `${placed.length} teams on ${floors.length} floors are too many for one plan: plan one site or building.`,
    )
  addNearness(placed, teams)
  const holidays = holidaysOf(result)
  const weekdaysOfDays = Array.from({ length: first.horizon }, (_, day) => {
    const date = dayOf(result.history_until ?? '') + 1 + day
    return holidays.has(dateOf(date)) ? -1 : open.indexOf(weekdayOf(date))
  })
  const missing = open.filter((_, at) => !weekdaysOfDays.includes(at))
  if (missing.length > 0)
    throw failure(
      'no_data',
      `The forecast has no ${missing.join(', ')} that is no holiday, so that no places can be planned: forecast more days.`,
    )
  return {
    ...{ objective: asked.objective, serviceLevel: asked.service_level, seconds: asked.time_limit_seconds },
    ...{ weekdays: open, floors, teams: placed, pathCount: first.pathCount },
    weekdayOf: weekdaysOfDays,
  }
}

/** Teams × floors × weekdays, which bound the memory of the solver. 200 teams on 30 floors are 30,000. */
const maxSize = 100_000

/** Returns the weekdays on which the space is open; without one, those on which any site is. */
function openWeekdays(spaces: Tree<CostedSpace>, root: string | null): Weekday[] {
  const roots = root === null ? spaces.nodes.filter(({ parentId }) => parentId === null).map(({ id }) => id) : [root]
  const hours = roots.map((id) => effectiveValues(pathOf(spaces, id)).openingHours)
  return weekdays.filter((weekday) => hours.some((ofSite) => ofSite[weekday] !== undefined))
}

function floorsOf(
  spaces: Tree<CostedSpace>,
  { changes }: AskedScenario,
  open: readonly Weekday[],
  isWithin: (id: string) => boolean,
): ScenarioFloor[] {
  const capacities = new Map(changes.capacity.map((change) => [change.space_id, change.capacity]))
  const costs = new Map(changes.cost.map((change) => [change.space_id, change]))
  const inside = new Map<string, number>()
  for (const { id, parentId, capacity } of spaces.nodes.toReversed()) {
    const own = capacities.get(id) ?? capacity ?? inside.get(id)
    if (own === undefined) continue
    inside.set(id, own)
    if (parentId !== null) inside.set(parentId, (inside.get(parentId) ?? 0) + own)
  }
  const closures = changes.close_spaces.map((change) => ({
    id: change.space_id,
    weekdays: change.weekdays ?? weekdays,
  }))
  return spaces.nodes.flatMap((space) => {
    const capacity = inside.get(space.id) ?? 0
    if (space.kind !== 'floor' || capacity === 0 || !isWithin(space.id)) return []
    const path = pathOf(spaces, space.id)
    const cost = costs.get(space.id)
    const own = closures.filter(({ id }) => path.some((around) => around.id === id))
    return [
      {
        ...{ id: space.id, capacity },
        name: path
          .map(({ name }) => name)
          .reverse()
          .join(' / '),
        closed: open.map((weekday) =>
          own.some((closure) => (closure.weekdays as readonly Weekday[]).includes(weekday)),
        ),
        annualCost: cost?.annual_cost ?? space.annualCost,
        currency: effectiveValues(path).currency,
        avoidableShare: cost?.avoidable_share ?? space.avoidableShare,
      },
    ]
  })
}

/** Returns the floors that a space means: those in it, or the one that it is in. */
const floorPositions =
  (spaces: Tree<CostedSpace>, floors: readonly ScenarioFloor[]) =>
  (id: string): number[] =>
    floors.flatMap((floor, at) =>
      pathOf(spaces, floor.id).some((around) => around.id === id) ||
      pathOf(spaces, id).some((around) => around.id === floor.id)
        ? [at]
        : [],
    )

/**
 * Returns the space that a team is at home in, its own or that of the nearest team around it. A team without one is at
 * home where the teams in it are that have no forecast of their own: those that are too small.
 */
function homesOf(
  path: readonly PlacedTeam[],
  { teams, spaces, forecast }: { teams: Tree<PlacedTeam>; spaces: Tree<CostedSpace>; forecast: ReadonlySet<string> },
): string[] {
  const homeOf = ({ homeSpaceId }: PlacedTeam) => (spaces.positions.has(homeSpaceId ?? '') ? homeSpaceId : null)
  const [team] = path
  const own = path.map(homeOf).find((home) => home !== null)
  if (team === undefined || own != null) return own == null ? [] : [own]
  const within = teams.nodes.filter(
    ({ id }) => !forecast.has(id) && pathOf(teams, id).some((around) => around.id === team.id),
  )
  return [...new Set(within.flatMap((one) => homeOf(one) ?? []))]
}

interface TeamContext {
  teams: Tree<PlacedTeam>
  asked: AskedScenario
  positions: (spaceId: string) => number[]
  home: string | null
  open: readonly Weekday[]
  row: { node: string; isRemainder: boolean }
}

/** Constraints are those of the team, or of the nearest one around it that has some. */
function teamOf(path: readonly PlacedTeam[], context: TeamContext): Omit<ScenarioTeam, 'paths'> {
  const { asked, positions, home, open, row, teams } = context
  const [team] = path
  const floorsOfSpaces = (ids: readonly string[]) => [...new Set(ids.flatMap(positions))]
  const fixed = path.find(({ fixedSpaceIds }) => fixedSpaceIds.length > 0)?.fixedSpaceIds
  const homeFloors = home === null ? [] : positions(home)
  const rule = nearest(path, asked.changes.attendance)
  return {
    ...{ id: row.node, isRemainder: row.isRemainder },
    name: row.isRemainder
      ? `${team?.name ?? ''} (others)`
      : path
          .map(({ name }) => name)
          .reverse()
          .join(' / '),
    headcount: headcountOf(teams, row),
    // A team at home in a whole building has no floor of its own.
    home: homeFloors.length === 1 ? (homeFloors[0] ?? null) : null,
    fixed: fixed === undefined ? null : floorsOfSpaces(fixed),
    excluded: floorsOfSpaces(path.flatMap(({ excludedSpaceIds }) => excludedSpaceIds)),
    maxFloors: path.find(({ maxFloors }) => maxFloors !== null)?.maxFloors ?? null,
    near: [],
    contingency: path.find(({ contingency }) => contingency !== null)?.contingency ?? 0,
    growth: growthOf(path, teams, asked),
    attendance: {
      minDays: rule?.min_days,
      fixedDays: rule?.fixed_days?.map((weekday) => open.indexOf(weekday)).filter((at) => at >= 0),
      stagger: rule?.stagger,
    },
  }
}

/** Returns the change of the team or of the nearest one around it, or else that of all teams. */
const nearest = <Change extends { team_id?: string | undefined }>(
  path: readonly PlacedTeam[],
  changes: readonly Change[],
): Change | undefined =>
  path.flatMap(({ id }) => changes.find((change) => change.team_id === id) ?? [])[0] ??
  changes.find((change) => change.team_id === undefined)

function growthOf(path: readonly PlacedTeam[], teams: Tree<PlacedTeam>, { changes }: AskedScenario): number {
  const change = nearest(path, changes.headcount)
  if (change?.percent !== undefined) return Math.max(0, 1 + change.percent / 100)
  const before = headcountOf(teams, { node: change?.team_id ?? '', isRemainder: false })
  return change?.number === undefined || !before ? 1 : change.number / before
}

/** Returns the members of a team, or those in none of the teams within it; null if that is not known. */
function headcountOf(
  { nodes, positions }: Tree<PlacedTeam>,
  { node, isRemainder }: { node: string; isRemainder: boolean },
) {
  const own = nodes[positions.get(node) ?? -1]?.headcount ?? null
  if (!isRemainder || own === null) return own
  const within = nodes.filter(({ parentId }) => parentId === node)
  return Math.max(0, own - within.reduce((sum, { headcount }) => sum + (headcount ?? 0), 0))
}

function addNearness(placed: ScenarioTeam[], teams: Tree<PlacedTeam>): void {
  const within = placed.map(({ id }) => new Set(pathOf(teams, id).map((around) => around.id)))
  for (const team of placed) {
    const near = pathOf(teams, team.id).find((around) => around.near.length > 0)?.near ?? []
    team.near = [...placed.keys()].filter((at) => placed[at] !== team && near.some((id) => within[at]?.has(id)))
  }
}

/** Returns the days that are holidays for every series of a run. */
function holidaysOf({ series }: RunResult): Set<string> {
  const dates = series.map((one) => ('holidays' in one ? (one.holidays?.dates ?? []).map(({ date }) => date) : []))
  const [first = [], ...others] = dates
  return new Set(first.filter((date) => others.every((of) => of.includes(date))))
}
