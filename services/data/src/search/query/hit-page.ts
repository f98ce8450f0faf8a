import type { dataSearch, FieldFilter } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import { readHitDocuments, type TextSpan } from '../../store/search/documents.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { SearchedSources } from '../rank/searched-sources.ts'
import { createListReader, createTopKReader, type DocumentReader } from '../rank/top-k.ts'
import { renderHighlights, stripHighlights } from './highlight.ts'
import { encodeHitCursor, type HitCursor } from './hit-cursor.ts'
import { type PostFilterResult, postFilter } from './post-filter.ts'

export type Hit = z.input<typeof dataSearch.search.list>
export type Meta = z.input<typeof dataSearch.search.meta>
export type Warning = Meta['warnings'][number]

/** What is wanted of a ranking. */
export interface HitPageOptions {
  /** How it was made. */
  mode: HitCursor['mode']
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  highlight: boolean
  minScore?: number | undefined
  limit: number
  /** Where the page before ended. */
  cursor: HitCursor | undefined
  /** The words to mark, as a tsquery. */
  tsquery: string
  /** Of some documents, the part to show, where it is not the words that say it. */
  nearestSpans?: ((documents: readonly number[]) => Promise<ReadonlyMap<number, TextSpan>>) | undefined
}

/** One page of hits. */
export interface HitPage {
  items: Hit[]
  nextCursor: string | null
  warnings: Warning[]
  /** How many pass, where all were looked at. */
  total: number | undefined
  facets: PostFilterResult['facets']
}

/** How many hits the cursors of one search lead to. */
const maxDepth = 10_000

/** Shows one page of a ranking, however it was made. */
export async function readHitPage(
  query: Query,
  workspaceId: string,
  sources: SearchedSources,
  ranking: Ranking,
  wanted: HitPageOptions,
): Promise<HitPage> {
  const { cursor, limit } = wanted
  const matches = filterByScore(ranking, wanted.minScore)
  const isLater = cursor && isAfterCursor(cursor, ranking, sources)
  const needsLook = wanted.phrases.length > 0 || wanted.facets !== undefined || wanted.filters !== undefined
  const look = needsLook
    ? await postFilter(query, workspaceId, { ...ranking, documents: matches }, sources.locate, {
        ...wanted,
        createAfterCursor: isLater,
      })
    : undefined
  const candidates = look
    ? createListReader(look.passed)
    : createTopKReader({ ...ranking, documents: isLater ? matches.filter(isLater) : matches }, limit + 1)
  const shown = await readFirstHits(query, workspaceId, candidates, sources, wanted)
  const items = shown.slice(0, limit)
  const depth = (cursor?.shown ?? 0) + items.length
  const [last, hasMore] = [items.at(-1), shown.length > items.length]
  const scoreOf = (document: number) => ranking.scores[document] ?? 0
  const message = `No more than ${maxDepth} hits are listed; ask more narrowly`
  return {
    items: items.map(({ document, found }) => ({
      record_id: found.recordId,
      data_source_id: sources.locate(document).dataSourceId,
      title: wanted.highlight && found.markedTitle !== null ? renderHighlights(found.markedTitle) : found.title,
      url: found.url,
      snippet: found.snippet && (wanted.highlight ? renderHighlights(found.snippet) : stripHighlights(found.snippet)),
      score: scoreOf(document),
    })),
    nextCursor:
      last !== undefined && hasMore && depth < maxDepth
        ? encodeHitCursor({
            mode: wanted.mode,
            score: scoreOf(last.document),
            ...sources.locate(last.document),
            shown: depth,
          })
        : null,
    warnings: [
      ...(look?.warning ? [look.warning] : []),
      ...(hasMore && depth >= maxDepth ? [{ code: 'depth_reached', message }] : []),
    ],
    total: look === undefined ? matches.length : look.total,
    facets: look?.facets,
  }
}

const filterByScore = ({ documents, scores }: Ranking, least = 0) =>
  least === 0 ? documents : documents.filter((document) => (scores[document] ?? 0) >= least)

function isAfterCursor(cursor: HitCursor, { scores }: Ranking, sources: SearchedSources) {
  const last = sources.numberOf(cursor)
  return (number: number): boolean => {
    const score = scores[number] ?? 0
    return score < cursor.score || (score === cursor.score && number > last)
  }
}

/** Reads what is shown of the first candidates; those that went away meanwhile make room for the next. */
async function readFirstHits(
  query: Query,
  workspaceId: string,
  candidates: DocumentReader,
  { locate: placeOf }: SearchedSources,
  { tsquery: words, nearestSpans: partsOf, limit, highlight }: HitPageOptions,
) {
  const many = limit + 1
  const shown: { document: number; found: Awaited<ReturnType<typeof readHitDocuments>>[number] }[] = []
  while (shown.length < many) {
    const next = candidates(many - shown.length)
    if (next.length === 0) break
    const parts = await partsOf?.(next)
    const keys = next.map((document) => ({ ...placeOf(document), part: parts?.get(document) }))
    for (const found of await readHitDocuments(query, workspaceId, keys, words, highlight))
      shown.push({ document: next[found.place] ?? 0, found })
  }
  return shown
}
