import type { FieldFilter } from '@wp/contracts'
import type { TextSpan } from '../../../store/search/documents.ts'
import { type HitRow, readHitRows } from '../../../store/search/hit-rows.ts'
import type { Ranking } from '../../rank/bm25-ranking.ts'
import type { SearchedSources } from '../../rank/searched-sources.ts'
import { createListReader, createTopKReader, type DocumentReader } from '../../rank/top-k.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { type PostFilterResult, postFilter } from '../filter/post-filter.ts'
import type { SearchedFields } from '../filter/searched-fields.ts'
import { type Hit, limitPage, toHit } from './hit.ts'
import { encodeHitCursor, type HitCursor } from './hit-cursor.ts'
import { depthReached, maxDepth } from './hit-depth.ts'

export interface HitPageOptions {
  /** Mode of the ranking. */
  mode: HitCursor['mode']
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  /** The fields of filters and facets; undefined if there are none. */
  fields: SearchedFields | undefined
  highlight: boolean
  /** True if hits have the data of their records. */
  hasData: boolean
  minScore?: number | undefined
  limit: number
  /** End of the previous page. */
  cursor: HitCursor | undefined
  /** Number of hits to leave out: those of pages that another engine has listed. */
  skip: number
  /** Selects snippets and the words to highlight. */
  tsquery: string
  /** Returns the text spans to show for documents that were not found by words. */
  nearestSpans?: ((documents: readonly number[]) => Promise<ReadonlyMap<number, TextSpan>>) | undefined
}

export interface HitPage {
  items: Hit[]
  nextCursor: string | null
  warnings: Warning[]
  /** Number of hits on all pages; undefined unless every match was read. */
  total: number | undefined
  facets: PostFilterResult['facets']
}

/** Reads one page of the hits of a ranking. */
export async function readHitPage(
  session: SearchSession,
  sources: SearchedSources,
  ranking: Ranking,
  options: HitPageOptions,
): Promise<HitPage> {
  const { cursor, skip, limit, highlight, mode } = options
  const matches = filterByScore(ranking, options.minScore)
  const isAfterCursor = cursor && createAfterCursor(cursor, ranking, sources)
  const needsPostFilter = options.phrases.length > 0 || options.facets !== undefined || options.filters !== undefined
  const filtered = needsPostFilter
    ? await postFilter(session, { ...ranking, documents: matches }, sources, {
        ...options,
        limit: limit + skip,
        isAfterCursor,
      })
    : undefined
  const readNext = filtered
    ? createListReader(filtered.passed)
    : createTopKReader(
        { ...ranking, documents: isAfterCursor ? matches.filter(isAfterCursor) : matches },
        skip + limit + 1,
      )
  readNext(skip)
  const found = await readFirstHits(session, readNext, sources, options)
  const shown = limitPage(found, limit)
  const hasMore = found.length > shown.length
  const depth = (cursor?.shown ?? skip) + shown.length
  const scoreOf = (document: number) => ranking.scores[document] ?? 0
  const last = hasMore && depth < maxDepth ? shown.at(-1)?.document : undefined
  return {
    items: shown.map(({ document, row }) =>
      toHit({ row, dataSourceId: sources.locate(document).dataSourceId, score: scoreOf(document) }, highlight),
    ),
    nextCursor:
      last === undefined
        ? null
        : encodeHitCursor({ mode, score: scoreOf(last), ...sources.locate(last), shown: depth }),
    warnings: [
      ...(filtered?.warning ? [filtered.warning] : []),
      ...(hasMore && depth >= maxDepth ? [depthReached] : []),
    ],
    total: filtered === undefined ? matches.length : filtered.total,
    facets: filtered?.facets,
  }
}

const filterByScore = ({ documents, scores }: Ranking, minScore = 0) =>
  minScore === 0 ? documents : documents.filter((document) => (scores[document] ?? 0) >= minScore)

function createAfterCursor(cursor: HitCursor, { scores }: Ranking, sources: SearchedSources) {
  const last = sources.numberOf(cursor)
  return (number: number): boolean => {
    const score = scores[number] ?? 0
    return score < cursor.score || (score === cursor.score && number > last)
  }
}

/** Reads up to `limit + 1` hits. Documents deleted since the ranking are replaced by the next ones. */
async function readFirstHits(
  { query, workspaceId }: SearchSession,
  readNext: DocumentReader,
  { locate }: SearchedSources,
  { tsquery, nearestSpans, limit, highlight: isMarked, hasData }: HitPageOptions,
): Promise<{ document: number; row: HitRow }[]> {
  const wanted = limit + 1
  const hits: { document: number; row: HitRow }[] = []
  while (hits.length < wanted) {
    const batch = readNext(wanted - hits.length)
    if (batch.length === 0) break
    const spans = await nearestSpans?.(batch)
    const keys = batch.map((document) => ({ ...locate(document), span: spans?.get(document) }))
    for (const row of await readHitRows(query, workspaceId, keys, { tsquery, isMarked, hasData }))
      hits.push({ document: batch[row.position] ?? 0, row })
  }
  return hits
}
