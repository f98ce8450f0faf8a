import type { CostedSpace } from '../store/spaces.ts'
import type { TeamNode } from '../store/teams.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'

/** A site of which floors may close. */
export interface CandidateSite {
  id: string
  name: string
}

/** Sites of one forecast. */
const maxSites = 5

/**
 * Returns the outermost spaces of which a floor may close with a saving: with two floors that have places, one of which
 * has costs that end when it is closed, and with a team at home. Of many, those with the most such costs: currencies
 * are not converted, since the order only decides which sites come first.
 * @param forecast the spaces of a forecast of floors, by which sites without a team at home are planned; else null
 */
export function pickSites(
  spaces: Tree<CostedSpace>,
  teams: Tree<TeamNode>,
  forecast: ReadonlySet<string> | null,
): CandidateSite[] {
  const siteOf = (id: string) => pathOf(spaces, id).at(-1)?.id
  const withPlaces = new Set<string>()
  for (const { id, capacity } of spaces.nodes)
    if (capacity !== null && capacity > 0) for (const around of pathOf(spaces, id)) withPlaces.add(around.id)
  const sitesOfTeams = new Set(teams.nodes.map(({ homeSpaceId }) => siteOf(homeSpaceId ?? '')))
  const floors = Map.groupBy(
    spaces.nodes.filter(({ id, kind }) => kind === 'floor' && withPlaces.has(id)),
    ({ id }) => siteOf(id),
  )
  return spaces.nodes
    .filter(({ id, parentId }) => !spaces.positions.has(parentId ?? '') && sitesOfTeams.has(id) === (forecast === null))
    .map(({ id, name }) => ({ id, name, own: floors.get(id) ?? [] }))
    .filter(({ own }) => forecast === null || own.some(({ id }) => forecast.has(id)))
    .map(({ own, ...site }) => ({ ...site, floors: own.length, avoidable: avoidableOf(own) }))
    .filter(({ floors: count, avoidable }) => count > 1 && avoidable > 0)
    .sort((a, b) => b.avoidable - a.avoidable || (a.id < b.id ? -1 : 1))
    .slice(0, maxSites)
    .map(({ id, name }) => ({ id, name }))
}

const avoidableOf = (floors: readonly CostedSpace[]): number =>
  floors.reduce((sum, { annualCost, avoidableShare }) => sum + (annualCost ?? 0) * (avoidableShare ?? 0), 0)
