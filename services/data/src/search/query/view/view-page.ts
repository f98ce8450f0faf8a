import type { SearchMode } from '@wp/contracts'
import type { EntryKind, RankedHit } from '../../../store/search/ranked-hits.ts'
import { findSearchView } from '../../../store/search/search-views.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { Facet } from '../filter/facets.ts'
import type { createDocumentFilter } from '../filter/post-filter.ts'
import { collectHits, type RowReader } from '../hits/collect-hits.ts'
import { limitPage, metaOf, type SearchResult, toHit } from '../hits/hit.ts'
import {
  countEnds,
  depthReached,
  encodeSearchCursor,
  type FirstPageCursor,
  isViewCursor,
  maxDepth,
  type SearchCursor,
} from '../hits/hit-cursor.ts'
import { createHitReader, cursorExpired, listInMemory, listInView, type RankedList } from './ranked-list.ts'

/** A ranking as it is stored, and what all pages from the second on say of it. */
export interface StoredRanking {
  kind: EntryKind
  mode: SearchMode
  /** The sources of documents, by the number of their first document. */
  sources: { dataSourceId: string; base: number; configuration: string }[]
  /** Selects snippets and the words to highlight in the database, and in the search engine. */
  tsquery: string
  marks?: Readonly<Record<string, unknown>>
  warnings: Warning[]
  total?: number
  facets?: Record<string, Facet>
  /** The warning at the end of the list if the ranking has more hits. */
  endWarning?: Warning
}

/** The ranked hits of a search, from its second page on. */
export interface ResultView {
  ranking: StoredRanking
  list: RankedList
  /** The hits of the list, while it is not stored. */
  hits: readonly RankedHit[] | undefined
  viewId: string | undefined
  firstHits: string
  seenAt: Date
  /** Number of hits of the list that were read. */
  start: number
  /** Number of hits on the pages before. */
  shown: number
}

/** Returns the view of the second page, whose ranking is new. */
export const createView = (
  { firstHits, seenAt, total }: FirstPageCursor,
  ranking: StoredRanking,
  hits: readonly RankedHit[],
): ResultView => ({
  ranking: total === undefined ? ranking : { ...ranking, total },
  list: listInMemory(hits),
  hits,
  viewId: undefined,
  firstHits,
  seenAt: new Date(seenAt),
  start: 0,
  shown: countEnds(firstHits),
})

/** Returns the stored view of a cursor; undefined for the cursor of a first page. @throws Problem `cursor_expired` */
export async function findView(session: SearchSession, cursor: SearchCursor): Promise<ResultView | undefined> {
  if (!isViewCursor(cursor)) return undefined
  const view = await findSearchView<StoredRanking>(session.query, session.workspaceId, cursor.viewId)
  if (view === undefined) throw cursorExpired()
  const { start, shown } = cursor
  return { ...view, list: listInView(session, view), hits: undefined, start, shown }
}

interface ViewPageOptions {
  limit: number
  highlight: boolean
  cursor: SearchCursor
  /** Tests documents; undefined if all pass. */
  filter: ReturnType<typeof createDocumentFilter> | undefined
  /** Reads what hits show, without those of the first page and without records that were created later. */
  readRows: RowReader
  /** Warnings of this request. */
  warnings: readonly Warning[]
}

/** Reads a page of a view. Stores the view if further pages follow. */
export async function readViewPage(
  session: SearchSession,
  view: ResultView,
  { limit, highlight, cursor, filter, readRows, warnings }: ViewPageOptions,
): Promise<SearchResult> {
  const { ranking, list } = view
  const found = await collectHits(limit + 1, createHitReader(list, view.start, filter), readRows)
  const page = limitPage(found, limit)
  const hasMore = found.length > page.length
  const shown = view.shown + page.length
  const isDeep = hasMore && shown >= maxDepth
  const last = hasMore && !isDeep ? page.at(-1) : undefined
  const endWarning = isDeep ? depthReached : hasMore ? undefined : ranking.endWarning
  return {
    items: page.map((hit) => toHit(hit, highlight)),
    nextCursor:
      last === undefined
        ? null
        : encodeSearchCursor({
            // Documents are numbered by the database alone.
            engine: ranking.kind === 'document' ? 'postgres' : cursor.engine,
            mode: ranking.mode,
            viewId: view.viewId ?? (await session.saveView(view, view.hits ?? [])),
            start: last.hit.position + 1,
            shown,
          }),
    meta: metaOf(ranking.mode, [...warnings, ...ranking.warnings, ...(endWarning ? [endWarning] : [])], ranking),
  }
}
