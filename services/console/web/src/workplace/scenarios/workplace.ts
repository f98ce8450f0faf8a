import type { Client } from '@wp/client/browser'
import { byName } from '../buildings/space-words.ts'

export type Space = Awaited<ReturnType<Client['solutions']['listSpaces']>>['items'][number]
export type Team = Awaited<ReturnType<Client['solutions']['listTeams']>>['items'][number]
export type Scenario = Awaited<ReturnType<Client['solutions']['listScenarios']>>['items'][number]
export type ScenarioDetail = Awaited<ReturnType<Client['solutions']['getScenario']>>
export type ScenarioResult = NonNullable<ScenarioDetail['result']>
export type ForecastRun = Awaited<ReturnType<Client['solutions']['listForecastRuns']>>['items'][number]

/** Buildings and teams as a scenario names them. */
export interface Workplace {
  spaces: Space[]
  teams: Team[]
  /** Sites and buildings with at least one floor. */
  buildings: Space[]
  /** Returns the floors of a site or building, or all, in the order of their names. */
  floorsOf: (spaceId: string | null) => Space[]
  /** Returns the name of a floor of a site or building: `Berlin A / Floor 3`, or `Floor 3` of one building. */
  floorName: (floorId: string, within: string | null) => string
  /** Returns the name of a space within a site or building: `Berlin A / Floor 3`. */
  nameOf: (spaceId: string, within?: string | null) => string
  /** Returns the floor that a space is or lies in; null if it lies in none. */
  floorOf: (spaceId: string) => string | null
  /** Returns true if a space is another one, or lies in it. */
  isWithin: (spaceId: string | null, outer: string) => boolean
  /** Returns true if a team is at home in a site or building: a scenario seats no others there. */
  hasTeamsIn: (spaceId: string) => boolean
  /** Returns true if the people of a team are in a site or building on most of their days. */
  isUsuallyIn: (team: Team, spaceId: string) => boolean
  /**
   * Returns the teams that are at home nowhere and not usually in another place; of those that usually come in parts,
   * the parts.
   */
  unseatedTeams: (spaceId: string) => Team[]
  /** Returns the name of a team, or the id of one that is gone. */
  teamName: (teamId: string) => string
}

/** Builds the tree of spaces. */
export function createWorkplace(spaces: Space[], teams: Team[]): Workplace {
  const byId = new Map(spaces.map((space) => [space.id, space]))
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]))
  const pathOf = (id: string | null): Space[] => {
    const path: Space[] = []
    for (let at = byId.get(id ?? ''); at !== undefined && !path.includes(at); at = byId.get(at.parent_id ?? ''))
      path.unshift(at)
    return path
  }
  const nameOf = (id: string, within: string | null = null) => {
    const path = pathOf(id)
    const from = path.findIndex((space) => space.id === within) + 1
    return (from === path.length ? path.slice(-1) : path.slice(from)).map(({ name }) => name).join(' / ') || id
  }
  const sorted = (list: Space[]) =>
    list
      .map((space) => ({ space, name: nameOf(space.id) }))
      .sort(byName)
      .map(({ space }) => space)
  const floors = sorted(spaces.filter(({ kind }) => kind === 'floor'))
  const floorsOf = (id: string | null) =>
    floors.filter((floor) => id === null || pathOf(floor.id).some((space) => space.id === id))
  const floorName = (id: string, within: string | null) => {
    const isOneBuilding = new Set(floorsOf(within).map((floor) => floor.parent_id)).size < 2
    return nameOf(id, isOneBuilding ? (byId.get(id)?.parent_id ?? within) : within)
  }
  const isWithin = (id: string | null, outer: string) => pathOf(id).some((space) => space.id === outer)
  const isUsuallyIn = (team: Team, id: string) => isWithin(team.usual_space_id, id)
  const isElsewhere = (team: Team, id: string) =>
    team.usual_space_id !== null &&
    !isUsuallyIn(team, id) &&
    pathOf(id).every((space) => space.id !== team.usual_space_id)
  const around = new Set(floors.flatMap(({ id }) => pathOf(id).map((space) => space.id)))
  return {
    spaces,
    teams: [...teams].sort(byName),
    nameOf,
    floorsOf,
    floorName,
    buildings: sorted(spaces.filter(({ id, kind }) => kind !== 'floor' && around.has(id))),
    floorOf: (id) => pathOf(id).find(({ kind }) => kind === 'floor')?.id ?? null,
    isWithin,
    hasTeamsIn: (id) => teams.some(({ home_space_id: home }) => isWithin(home ?? null, id)),
    isUsuallyIn,
    unseatedTeams: (id) =>
      unseatedOf(teams, (team) => isUsuallyIn(team, id))
        .filter((team) => !isElsewhere(team, id))
        .sort(byName),
    teamName: (id) => teamNames.get(id) ?? id,
  }
}

function unseatedOf(teams: readonly Team[], isUsual: (team: Team) => boolean): Team[] {
  const within = Map.groupBy(teams, ({ parent_id: parent }) => parent)
  const some = (team: Team, test: (team: Team) => boolean): boolean =>
    test(team) || (within.get(team.id) ?? []).some((part) => some(part, test))
  const unseated = (team: Team): Team[] => {
    if (team.home_space_id !== null) return []
    const isSeated = some(team, ({ home_space_id: home }) => home !== null)
    return isSeated || (!isUsual(team) && some(team, isUsual)) ? (within.get(team.id) ?? []).flatMap(unseated) : [team]
  }
  return (within.get(null) ?? []).flatMap(unseated)
}

/** Returns the site or building to plan for any space: itself, or what is around a floor. */
export function plannedSpace({ spaces, buildings }: Workplace, id: string | undefined): string | undefined {
  const space = spaces.find((one) => one.id === id)
  if (space === undefined) return undefined
  return space.kind === 'floor'
    ? plannedSpace({ spaces, buildings } as Workplace, space.parent_id ?? undefined) // it reads these two alone
    : buildings.find((one) => one.id === space.id)?.id
}
