import type { Query } from '@wp/database'
import type { Dataset } from '../../store/datasets.ts'
import { findReaderGaps } from '../../store/reader-gaps.ts'
import type { SpaceNode } from '../../store/spaces.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { createMatcher } from '../../workplace/match-values.ts'
import { pathOf, type Tree } from '../../workplace/tree.ts'

/** A reader without rows for longer was taken away. */
const longestFault = 28

/** Reads the days of each space on which a reader at it, or at it or in it, was silent. */
export async function readMissingDays(
  query: Query,
  workspaceId: string,
  spaces: Tree<SpaceNode>,
  datasets: readonly Dataset[],
) {
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
  return { at, within }
}
