import { filtersOnBest } from '../query/filter/post-filter.ts'
import { depthReached, maxDepth } from '../query/hits/hit-cursor.ts'
import { drainRanking } from '../query/view/ranked-list.ts'
import type { StoredRanking } from '../query/view/view-page.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { SearchedSources } from '../rank/searched-sources.ts'
import type { SearchSession } from '../session/search-session.ts'

type Options = Pick<StoredRanking, 'mode' | 'tsquery' | 'warnings'> & {
  facets: StoredRanking['facets'] | undefined
  /** True if hits must pass phrases or filters. */
  isFiltered: boolean
}

/** The hits of the first page are in the list, too. */
const maxFirstHits = 100

/** Returns the ranking of a search as it is stored, with as many hits as its pages may read. */
export async function rankingOfView(
  session: SearchSession,
  { indexes }: SearchedSources,
  ranking: Ranking,
  { isFiltered, facets, ...options }: Options,
): Promise<{ stored: StoredRanking; hits: { document: number; score: number }[] }> {
  const { maxExaminedRecords } = session.limits
  const hits = await drainRanking(session, ranking, isFiltered ? maxExaminedRecords : maxDepth + maxFirstHits)
  const endWarning = isFiltered ? filtersOnBest(maxExaminedRecords) : depthReached
  const stored: StoredRanking = {
    ...options,
    kind: 'document',
    sources: indexes.map(({ dataSourceId, base, configuration }) => ({ dataSourceId, base, configuration })),
    ...(facets && { facets }),
    ...(hits.length < ranking.documents.length && { endWarning }),
  }
  return { stored, hits }
}
