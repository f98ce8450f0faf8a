import type { Ranking } from '../../rank/bm25-ranking.ts'
import type { SearchedSources } from '../../rank/searched-sources.ts'
import { createListReader, createTopKReader } from '../../rank/top-k.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { type PostFilterConditions, type PostFilterResult, postFilter } from '../filter/post-filter.ts'
import { collectHits } from './collect-hits.ts'
import { type Hit, limitPage, toHit } from './hit.ts'
import { cursorAfter, type FirstPageCursor } from './hit-cursor.ts'
import { createRowReader, type RowOptions } from './read-rows.ts'

export interface HitPageOptions extends PostFilterConditions, RowOptions {
  minScore?: number | undefined
  limit: number
  /** Mode of the ranking. */
  mode: FirstPageCursor['mode']
}

export interface HitPage {
  items: Hit[]
  nextCursor: string | null
  warnings: Warning[]
  /** Number of hits on all pages; undefined unless every match was read. */
  total: number | undefined
  facets: PostFilterResult['facets']
}

/** Reads the first page of the hits of a ranking. */
export async function readHitPage(
  session: SearchSession,
  sources: SearchedSources,
  ranking: Ranking,
  options: HitPageOptions,
): Promise<HitPage> {
  const { limit, highlight, mode } = options
  const matches = withMinScore(ranking, options.minScore)
  const filtered = needsPostFilter(options) ? await postFilter(session, matches, sources, options) : undefined
  const readNext = filtered ? createListReader(filtered.passed) : createTopKReader(matches, limit + 1)
  const readHits = (count: number) =>
    readNext(count).map((document) => ({ document, score: ranking.scores[document] ?? 0, position: 0 }))
  const found = await collectHits(limit, readHits, createRowReader(session, sources.locate, options))
  const shown = limitPage(found, limit)
  const hasMore = found.length > shown.length || readNext(1).length > 0
  const total = filtered === undefined ? matches.documents.length : filtered.total
  return {
    items: shown.map((hit) => toHit(hit, highlight)),
    nextCursor: hasMore
      ? cursorAfter({ engine: 'postgres', mode }, mode === 'lexical' ? total : undefined, shown)
      : null,
    warnings: filtered?.warning ? [filtered.warning] : [],
    total,
    facets: filtered?.facets,
  }
}

/** Returns true if hits must pass conditions that the index cannot evaluate. */
export const needsPostFilter = ({ phrases, facets, filters }: PostFilterConditions): boolean =>
  phrases.length > 0 || facets !== undefined || filters !== undefined

export function withMinScore(ranking: Ranking, minScore = 0): Ranking {
  if (minScore === 0) return ranking
  const isPassing = (document: number) => (ranking.scores[document] ?? 0) >= minScore
  const { documents, scores, best = [] } = ranking
  return { documents: documents.filter(isPassing), scores, best: best.filter(isPassing) }
}
