import type { dataSearch, FieldFilter } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import { type Part, show } from '../store/search-documents.ts'
import { bestFirst, type Candidates, inOrder } from './best.ts'
import { encodeHitCursor, type HitCursor } from './cursor.ts'
import { type Examination, examineBest } from './examine.ts'
import { markedHtml, unmarked } from './marks.ts'
import type { Ranking } from './rank.ts'
import type { SearchedSources } from './sources.ts'

export type Hit = z.input<typeof dataSearch.search.list>
export type Meta = z.input<typeof dataSearch.search.meta>
export type Warning = Meta['warnings'][number]

/** What is wanted of a ranking. */
export interface Wanted {
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
  words: string
  /** Of some documents, the part to show, where it is not the words that say it. */
  partsOf?: ((documents: readonly number[]) => Promise<ReadonlyMap<number, Part>>) | undefined
}

/** One page of hits. */
export interface Hits {
  items: Hit[]
  nextCursor: string | null
  warnings: Warning[]
  /** How many pass, where all were looked at. */
  total: number | undefined
  facets: Examination['facets']
}

/** How many hits the cursors of one search lead to. */
const deepest = 10_000

/** Shows one page of a ranking, however it was made. */
export async function hitsOf(
  query: Query,
  workspaceId: string,
  sources: SearchedSources,
  ranking: Ranking,
  wanted: Wanted,
): Promise<Hits> {
  const { cursor, limit } = wanted
  const matches = goodEnough(ranking, wanted.minScore)
  const isLater = cursor && laterThan(cursor, ranking, sources)
  const needsLook = wanted.phrases.length > 0 || wanted.facets !== undefined || wanted.filters !== undefined
  const look = needsLook
    ? await examineBest(query, workspaceId, { ...ranking, documents: matches }, sources.placeOf, { ...wanted, isLater })
    : undefined
  const candidates = look
    ? inOrder(look.passed)
    : bestFirst({ ...ranking, documents: isLater ? matches.filter(isLater) : matches }, limit + 1)
  const shown = await showFirst(query, workspaceId, candidates, sources, wanted)
  const items = shown.slice(0, limit)
  const depth = (cursor?.shown ?? 0) + items.length
  const [last, hasMore] = [items.at(-1), shown.length > items.length]
  const scoreOf = (document: number) => ranking.scores[document] ?? 0
  const message = `No more than ${deepest} hits are listed; ask more narrowly`
  return {
    items: items.map(({ document, found }) => ({
      record_id: found.recordId,
      data_source_id: sources.placeOf(document).dataSourceId,
      title: wanted.highlight && found.markedTitle !== null ? markedHtml(found.markedTitle) : found.title,
      url: found.url,
      snippet: found.snippet && (wanted.highlight ? markedHtml(found.snippet) : unmarked(found.snippet)),
      score: scoreOf(document),
    })),
    nextCursor:
      last !== undefined && hasMore && depth < deepest
        ? encodeHitCursor({
            mode: wanted.mode,
            score: scoreOf(last.document),
            ...sources.placeOf(last.document),
            shown: depth,
          })
        : null,
    warnings: [
      ...(look?.warning ? [look.warning] : []),
      ...(hasMore && depth >= deepest ? [{ code: 'depth_reached', message }] : []),
    ],
    total: look === undefined ? matches.length : look.total,
    facets: look?.facets,
  }
}

const goodEnough = ({ documents, scores }: Ranking, least = 0) =>
  least === 0 ? documents : documents.filter((document) => (scores[document] ?? 0) >= least)

function laterThan(cursor: HitCursor, { scores }: Ranking, sources: SearchedSources) {
  const last = sources.numberOf(cursor)
  return (number: number): boolean => {
    const score = scores[number] ?? 0
    return score < cursor.score || (score === cursor.score && number > last)
  }
}

/** Reads what is shown of the first candidates; those that went away meanwhile make room for the next. */
async function showFirst(
  query: Query,
  workspaceId: string,
  candidates: Candidates,
  { placeOf }: SearchedSources,
  { words, partsOf, limit, highlight }: Wanted,
) {
  const many = limit + 1
  const shown: { document: number; found: Awaited<ReturnType<typeof show>>[number] }[] = []
  while (shown.length < many) {
    const next = candidates(many - shown.length)
    if (next.length === 0) break
    const parts = await partsOf?.(next)
    const keys = next.map((document) => ({ ...placeOf(document), part: parts?.get(document) }))
    for (const found of await show(query, workspaceId, keys, words, highlight))
      shown.push({ document: next[found.place] ?? 0, found })
  }
  return shown
}
