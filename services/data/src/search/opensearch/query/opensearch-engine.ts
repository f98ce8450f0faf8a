import { resolveFields } from '../../query/filter/searched-fields.ts'
import { collectHits } from '../../query/hits/collect-hits.ts'
import { limitPage, metaOf, type SearchResult, toHit } from '../../query/hits/hit.ts'
import { cursorAfter, splitEnds } from '../../query/hits/hit-cursor.ts'
import { markedWordsOf } from '../../query/hits/mark-words.ts'
import type { SearchEngine } from '../../query/search-engine.ts'
import { createHitReader, cursorExpired, listInMemory } from '../../query/view/ranked-list.ts'
import { createView, findView, type ResultView, readViewPage } from '../../query/view/view-page.ts'
import type { OpenSearchClient } from '../client/opensearch-client.ts'
import { createEngineRequest } from './engine-request.ts'
import { createEngineRowReader } from './engine-rows.ts'
import { endWarningOf, type RankedRecords, rankRecords, type Steps } from './rank-records.ts'
import { readHighlights } from './read-highlights.ts'
import { createWorkspaceSearch } from './workspace-search.ts'

interface EngineOptions {
  client: OpenSearchClient
  /** The name of the index. */
  alias: string
  /** Limit of each request. */
  timeoutMs: number
}

/** Creates the engine that searches an index of OpenSearch; see docs/decisions/search-engine.md. */
export const createOpenSearchEngine = ({ client, alias, timeoutMs }: EngineOptions): SearchEngine => ({
  async search(session, input) {
    const fields = await resolveFields(session, input)
    const { workspaceId, signal } = session
    const search = createWorkspaceSearch(client, workspaceId, { alias, signal, timeoutMs })
    const steps = { session, search, input, request: createEngineRequest(session, input, fields), fields }
    const { after } = input
    if (after === undefined) return readFirstPage(steps, await rankRecords(steps, 'page'))
    const stored = await findView(session, after)
    if (stored?.ranking.kind === 'document') throw cursorExpired()
    if (stored !== undefined) return readLaterPage(steps, stored)
    if (!('firstHits' in after)) throw new Error('a cursor without a view is that of a first page')
    const ranked = await rankRecords(steps, 'all')
    const { mode, marks, warnings, facets } = ranked
    const parts = { mode, warnings, sources: [], tsquery: '', ...(marks && { marks }), ...(facets && { facets }) }
    const hits = ranked.records.map(({ recordId, score }) => ({ recordId, score }))
    return readLaterPage(steps, createView(after, { kind: 'record', ...parts, ...endWarningOf(ranked) }, hits))
  },
})

async function readFirstPage(steps: Steps, ranked: RankedRecords): Promise<SearchResult> {
  const { session, input, fields } = steps
  const { mode, records, isCut, total, facets, warnings, marks } = ranked
  const { limit, highlight } = input
  const known = new Map(records.map((record) => [record.recordId, record]))
  const readRows = createEngineRowReader(session, {
    ...rowOptionsOf(steps),
    // Only a ranking by both comes without highlights.
    readHighlights: async (ids) => (mode === 'hybrid' ? readHighlights(steps, marks, ids) : known),
  })
  const list = listInMemory(records.map(({ recordId, score }) => ({ recordId, score })))
  const found = await collectHits(limit + 1, createHitReader(list, 0, undefined), readRows)
  const page = limitPage(found, limit)
  const hasMore = found.length > page.length || records.length > limit || isCut
  return {
    items: page.map((hit) => toHit(hit, highlight)),
    nextCursor: hasMore ? cursorAfter({ engine: 'opensearch', mode }, total, page) : null,
    meta: metaOf(mode, [...input.embeddingWarnings, ...fields.warnings, ...warnings], { total, facets }),
  }
}

function readLaterPage(steps: Steps, view: ResultView): Promise<SearchResult> {
  const { session, input, fields } = steps
  const { limit, highlight, after } = input
  if (after === undefined) throw new Error('a later page has a cursor')
  return readViewPage(session, view, {
    limit,
    highlight,
    cursor: after,
    filter: undefined,
    readRows: createEngineRowReader(session, {
      ...rowOptionsOf(steps),
      createdBefore: view.seenAt,
      omittedEnds: splitEnds(view.firstHits),
      readHighlights: (ids) => readHighlights(steps, view.ranking.marks, ids),
    }),
    warnings: [...input.embeddingWarnings, ...fields.warnings],
  })
}

const rowOptionsOf = ({ input: { parsed, hasData } }: Steps) => ({ words: markedWordsOf(parsed), hasData })
