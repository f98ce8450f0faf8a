import { invalidField, Problem, problem, type Weekday } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Job } from '@wp/jobs'
import type { RunInput, RunResult } from '../runs/input/run-input.ts'
import type { PathsNode } from '../store/forecast-paths.ts'
import { type CostedSpace, findCostedSpaces } from '../store/spaces.ts'
import { findPlacedTeams, type PlacedTeam } from '../store/teams.ts'
import { dateOf, dayOf, weekdayOf } from '../workplace/local-days.ts'
import { missingCountryWarnings } from '../workplace/missing-country.ts'
import { buildTree, fullName, listNames, pathOf, type Tree } from '../workplace/tree.ts'
import { checkChanges } from './check-changes.ts'
import { floorPositions, floorsOf, requireOneCurrency } from './scenario-floors.ts'
import type { ScenarioTeam } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'
import { createHomesOf, requirePlanned, teamOf } from './scenario-teams.ts'
import { teamsLeftOut } from './team-share.ts'

/** A team of a scenario, or people of a space, without its sample paths. */
export type PlannedTeam = Omit<ScenarioTeam, 'paths'>

/**
 * Reads what a scenario is about before its sample paths are read: the floors in its space, and who sits in it.
 * @param nodes those of the forecast with sample paths
 * @returns with `weekdaysOf`, the weekday of each forecast day for those who are planned
 * @throws Problem with the field for which nothing can be planned, or a change has no effect
 */
export async function readBasis(
  query: Query,
  workspaceId: string,
  { asked, run, nodes }: { asked: AskedScenario; run: Job; nodes: readonly PathsNode[] },
) {
  const spaces = buildTree(await findCostedSpaces(query, workspaceId))
  const teams = buildTree(await findPlacedTeams(query, workspaceId))
  checkChanges(spaces, asked)
  const result = run.result as RunResult & { history_until?: string } // written by run-workplace-forecast.ts
  const [first] = nodes
  if (first === undefined || result.history_until === undefined)
    throw problem('conflict', { detail: 'The sample paths of the forecast are not kept any more: forecast again.' })
  const root = asked.space_id
  const isWithin = (id: string) => root === null || pathOf(spaces, id).some((space) => space.id === root)
  const { workplace: base } = (run.input as RunInput).parameters // written by startForecastRun
  const isOfTeams = base?.level === 'team'
  const forecast = new Set(nodes.map(({ node }) => node))
  const namesOf = (floors: readonly CostedSpace[]) => listNames(floors.map(({ id }) => fullName(pathOf(spaces, id))))
  const { floors, open, unknown, placeless } = floorsOf(spaces, asked, {
    isWithin,
    isKnown: (id) => isOfTeams || forecast.has(id),
  })
  if (floors.length === 0)
    throw new NothingToPlan(
      '/space_id',
      unknown.length > 0
        ? `The forecast has no people of ${namesOf(unknown)}: forecast the floors of this space.`
        : 'The space has no floors with a capacity that are open: state the capacity of each floor, or of what is in it.',
    )
  const positions = floorPositions(spaces, floors)
  const context = { spaces, teams, asked, positions, open, isWithin, unknown }
  const planned = isOfTeams ? plannedTeams(nodes, context) : plannedPeople(nodes, context)
  if (planned.length === 0) throw new NothingToPlan('/space_id', notAtHome)
  requirePlanned(planned, teams, open, asked)
  requireOneCurrency(floors, asked)
  if (planned.length * floors.length * open.length > maxSize)
    throw invalidField(
      '/space_id',
      `${planned.length} teams on ${floors.length} floors are too many for one plan: plan one site or building.`,
    )
  const { history_until: until } = result
  const weekdaysOf = (people: readonly { id: string }[]) =>
    weekdaysWithout(holidaysOf(result, people), until, first.horizon, open)
  // Without paths, it is not known which remainders have people: more of them leave out fewer days.
  weekdaysOf(planned)
  const noPlaces =
    placeless.length === 0 ? [] : [`No places are stated for ${namesOf(placeless)}, which the plan leaves out.`]
  return {
    spaces,
    teams,
    isOfTeams,
    isWithin,
    floors,
    planned,
    leftOut: isOfTeams
      ? teamsLeftOut(planned, { teams, root, isWithin })
      : unknown.map(({ id }) => ({ name: fullName(pathOf(spaces, id)), headcount: null })),
    weekdays: open,
    pathCount: first.pathCount,
    weekdaysOf,
    warnings: [
      ...missingCountryWarnings(floors.map(({ id }) => pathOf(spaces, id))),
      ...noPlaces,
      ...(isOfTeams ? [] : floorWarnings(namesOf(unknown), base?.measure === 'peak')),
    ],
  }
}

/** Thrown for a request for which the forecast or the space has nothing to plan. A job reports it as `no_data`. */
export class NothingToPlan extends Problem {
  constructor(pointer: string, detail: string) {
    super('validation_failed', { detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] })
  }
}

export const notAtHome =
  'No team of the forecast is at home in the space: state where the teams sit (home_space_id), or those around them.'

const floorWarnings = (unknown: string, isOfPeaks: boolean): string[] => [
  'People are planned by the floor on which they are counted, and may sit on any other: no wish of a team is known.',
  ...(isOfPeaks ? ['Planned are the most people at a moment: a place that two use after each other counts once.'] : []),
  ...(unknown === ''
    ? []
    : [
        `The forecast has no people of ${unknown}: the plan neither uses nor closes these floors, and leaves out who is counted there or on no floor. Add badge events or counters of them, and forecast again.`,
      ]),
]

interface Surroundings {
  spaces: Tree<CostedSpace>
  teams: Tree<PlacedTeam>
  asked: AskedScenario
  positions: ReturnType<typeof floorPositions>
  open: Weekday[]
  isWithin: (spaceId: string) => boolean
  /** Floors of which the forecast has no people. */
  unknown: readonly CostedSpace[]
}

/** Returns the teams of the forecast that sit in the space. */
function plannedTeams(
  nodes: readonly PathsNode[],
  { spaces, teams, asked, positions, open, isWithin }: Surroundings,
): PlannedTeam[] {
  const homesOf = createHomesOf({ teams, spaces, forecast: new Set(nodes.map(({ node }) => node)) })
  return nodes.flatMap((row) => {
    const path = pathOf(teams, row.node)
    const homes = homesOf(path)
    if (path.length === 0 || !homes.every(isWithin) || (homes.length === 0 && asked.space_id !== null)) return []
    const home = homes.length === 1 ? (homes[0] ?? null) : null
    return [teamOf(path, { teams, asked, positions, home, open, row })]
  })
}

/** Returns the people of a forecast of floors who are counted in the space. On floors without places they stay. */
function plannedPeople(nodes: readonly PathsNode[], context: Surroundings): PlannedTeam[] {
  const aroundUnknown = new Set(
    context.unknown.flatMap(({ id }) => pathOf(context.spaces, id).map((space) => space.id)),
  )
  return nodes.flatMap((row) => {
    const { node, isRemainder } = row
    if (pathOf(context.spaces, node).length === 0 || !context.isWithin(node)) return []
    // Those of floors without a forecast are in what remains of the building, and stay where they are.
    if (context.positions(node).length === 0 || (isRemainder && aroundUnknown.has(node))) return []
    return [{ ...teamOf([], { ...context, home: isRemainder ? null : node, row }), isOfSpace: true }]
  })
}

/**
 * Returns the position in `open` of the weekday of each forecast day; -1 for a holiday or a day that is closed.
 * @throws Problem if the forecast has no day of an open weekday
 */
function weekdaysWithout(
  holidays: ReadonlySet<string>,
  historyUntil: string,
  horizon: number,
  open: readonly Weekday[],
): number[] {
  const weekdaysOfDays = Array.from({ length: horizon }, (_, day) => {
    const date = dayOf(historyUntil) + 1 + day
    return holidays.has(dateOf(date)) ? -1 : open.indexOf(weekdayOf(date))
  })
  const missing = open.filter((_, at) => !weekdaysOfDays.includes(at))
  if (missing.length > 0)
    throw new NothingToPlan(
      '/forecast_run_id',
      `The forecast has no ${missing.join(', ')} that is no holiday, so that no places can be planned: forecast more days.`,
    )
  return weekdaysOfDays
}

/** Teams × floors × weekdays, which bound the memory of the solver. 200 teams on 30 floors are 30,000. */
const maxSize = 100_000

/** Returns the days that are holidays for all of the teams or spaces. Those elsewhere are no matter of a plan. */
export function holidaysOf({ series }: Pick<RunResult, 'series'>, teams: readonly { id: string }[]): Set<string> {
  const ids = new Set(teams.map(({ id }) => id))
  const dates = series.flatMap((one) =>
    'holidays' in one && ids.has(one.key.team ?? one.key.space ?? '')
      ? [(one.holidays?.dates ?? []).map(({ date }) => date)]
      : [],
  )
  const [first = [], ...others] = dates
  return new Set(first.filter((date) => others.every((of) => of.includes(date))))
}
