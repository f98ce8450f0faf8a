import type { Query } from '@wp/database'
import type { Dataset } from '../../store/datasets.ts'
import { findReaderGaps } from '../../store/reader-gaps.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { createMatcher } from '../../workplace/match-values.ts'
import { pathOf } from '../../workplace/tree.ts'
import type { Scope } from './scope.ts'

/** Days after which a reader without rows was taken away. */
export const longestFault = 28

/**
 * Reads the days on which the history of each space or team of a run lacks people: a reader at or in the space was
 * silent; of a team, one in its home, or at a space around it.
 */
export async function readMissingDays(
  query: Query,
  workspaceId: string,
  { nodes, spaces, isTeam }: Scope,
  datasets: readonly Dataset[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const [at, within] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const add = (days: Map<string, Set<string>>, spaceId: string, day: string) => {
    const known = days.get(spaceId)
    if (known === undefined) days.set(spaceId, new Set([day]))
    else known.add(day)
  }
  const matchers = new Map(datasets.map(({ id, spaceMap }) => [id, createMatcher(spaces.nodes, spaceMap)]))
  for (const { datasetId, value, since, until } of await findReaderGaps(query, workspaceId)) {
    const own = matchers.get(datasetId)?.(value).id ?? null
    if (own === null || dayOf(until) - dayOf(since) > longestFault) continue
    for (let day = dayOf(since); day < dayOf(until); day++) {
      add(at, own, dateOf(day))
      for (const { id } of pathOf(spaces, own)) add(within, id, dateOf(day))
    }
  }
  if (!isTeam) return within
  // People who pass a silent reader are missing in all teams around theirs.
  const ofTeams = new Map(nodes.map(({ id }) => [id, new Set<string>()]))
  for (const { id, parentId, place } of nodes.toReversed()) {
    const own = ofTeams.get(id)
    for (const [distance, space] of place.entries())
      for (const day of (distance === 0 ? within : at).get(space.id) ?? []) own?.add(day)
    for (const day of own ?? []) ofTeams.get(parentId ?? '')?.add(day)
  }
  return ofTeams
}
