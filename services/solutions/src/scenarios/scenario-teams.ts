import { invalidField, type Weekday } from '@wp/contracts'
import type { PathsRow } from '../store/forecast-paths.ts'
import type { CostedSpace } from '../store/spaces.ts'
import type { PlacedTeam } from '../store/teams.ts'
import { fullName, pathOf, type Tree } from '../workplace/tree.ts'
import type { ScenarioTeam } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'

/**
 * Creates a function that returns the space that a team is at home in, its own or that of the nearest team around it. A
 * team without one is at home where the teams in it are that have no forecast of their own: those that are too small.
 */
export function createHomesOf({
  teams,
  spaces,
  forecast,
}: {
  teams: Tree<PlacedTeam>
  spaces: Tree<CostedSpace>
  forecast: ReadonlySet<string>
}): (path: readonly PlacedTeam[]) => readonly string[] {
  const homeOf = ({ homeSpaceId }: PlacedTeam) => (spaces.positions.has(homeSpaceId ?? '') ? homeSpaceId : null)
  const homes = teams.nodes.flatMap((team) => {
    const home = forecast.has(team.id) ? null : homeOf(team)
    return home === null ? [] : pathOf(teams, team.id).map(({ id }) => ({ id, home }))
  })
  const within = Map.groupBy(homes, ({ id }) => id)
  return (path) => {
    const own = path.map(homeOf).find((home) => home !== null)
    return own == null ? [...new Set(within.get(path[0]?.id ?? '')?.map(({ home }) => home))] : [own]
  }
}

interface TeamContext {
  teams: Tree<PlacedTeam>
  asked: AskedScenario
  positions: (spaceId: string) => readonly number[]
  home: string | null
  open: readonly Weekday[]
  row: Pick<PathsRow, 'node' | 'isRemainder'>
}

/** Constraints are those of the team, or of the nearest one around it that has some. */
export function teamOf(path: readonly PlacedTeam[], context: TeamContext): Omit<ScenarioTeam, 'paths'> {
  const { asked, positions, home, open, row, teams } = context
  const [team] = path
  const floorsOfSpaces = (ids: readonly string[]) => [...new Set(ids.flatMap(positions))]
  const fixed = path.find(({ fixedSpaceIds }) => fixedSpaceIds.length > 0)?.fixedSpaceIds
  const homeFloors = home === null ? [] : positions(home)
  const rule = nearest(path, asked.changes.attendance)
  return {
    id: row.node,
    isRemainder: row.isRemainder,
    name: row.isRemainder ? `${team?.name ?? ''} (others)` : fullName(path),
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

/** @throws Problem for a new headcount of a team whose present one is not known, or none */
function growthOf(path: readonly PlacedTeam[], teams: Tree<PlacedTeam>, { changes }: AskedScenario): number {
  const change = nearest(path, changes.headcount)
  if (change?.percent !== undefined) return Math.max(0, 1 + change.percent / 100)
  if (change?.number === undefined) return 1
  if (change.number === 0) return 0
  const before = headcountOf(teams, { node: change.team_id ?? '', isRemainder: false })
  if (!before)
    throw invalidField(
      `/changes/headcount/${changes.headcount.indexOf(change)}/number`,
      `The headcount of ${path.find(({ id }) => id === change.team_id)?.name} today is not known, so that ${change.number} people cannot be compared with it: state its headcount, or change it in percent.`,
    )
  return change.number / before
}

/** Returns the members of a team, or those in none of the teams within it; null if that is not known. */
function headcountOf({ nodes, positions }: Tree<PlacedTeam>, { node, isRemainder }: TeamContext['row']) {
  const own = nodes[positions.get(node) ?? -1]?.headcount ?? null
  if (!isRemainder || own === null) return own
  const within = nodes.filter(({ parentId }) => parentId === node)
  return Math.max(0, own - within.reduce((sum, { headcount }) => sum + (headcount ?? 0), 0))
}

/**
 * @param open the weekdays of the plan
 * @throws Problem for a change of a team or of weekdays that are not in the plan
 */
export function requirePlanned(
  placed: readonly Pick<ScenarioTeam, 'id' | 'isOfSpace'>[],
  teams: Tree<PlacedTeam>,
  open: readonly Weekday[],
  { changes }: Pick<AskedScenario, 'changes'>,
): void {
  const planned = new Set(placed.flatMap(({ id }) => pathOf(teams, id).map((around) => around.id)))
  const refuse = (field: string, reason = `the floors of the plan are open on ${open.join(', ')}`) => {
    throw invalidField(`/changes/${field}`, reason)
  }
  const reasonOf = (id: string) => {
    if (!teams.positions.has(id)) return 'is not a team of this workspace'
    return placed.some(({ isOfSpace }) => isOfSpace)
      ? 'the forecast is one of floors, which has no teams: take one with the level team, or leave team_id out'
      : 'the team has no forecast of its own, or no home in the space of the scenario'
  }
  for (const kind of ['headcount', 'attendance'] as const)
    for (const [at, { team_id: id }] of changes[kind].entries())
      if (id !== undefined && !planned.has(id)) refuse(`${kind}/${at}/team_id`, reasonOf(id))
  for (const [at, { fixed_days: fixed = [], min_days: least = 0 }] of changes.attendance.entries())
    if (least > open.length || fixed.some((weekday) => !open.includes(weekday))) refuse(`attendance/${at}`)
  for (const [at, { weekdays: days = open }] of changes.close_spaces.entries())
    if (!days.some((weekday) => open.includes(weekday))) refuse(`close_spaces/${at}/weekdays`)
}

/** Adds to each team those that it must sit near. */
export function addNearness(placed: ScenarioTeam[], teams: Tree<PlacedTeam>): void {
  const within = placed.map(({ id }) => new Set(pathOf(teams, id).map((around) => around.id)))
  for (const team of placed) {
    const near = pathOf(teams, team.id).find((around) => around.near.length > 0)?.near ?? []
    if (near.length > 0)
      team.near = [...placed.keys()].filter((at) => placed[at] !== team && near.some((id) => within[at]?.has(id)))
  }
}
