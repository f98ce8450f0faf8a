import type { RankedHit } from '../../../store/search/ranked-hits.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { resolveFields } from '../filter/searched-fields.ts'
import { metaOf, type SearchResult, toHit } from '../hits/hit.ts'
import {
  cursorAfter,
  decodeSearchCursor,
  depthReached,
  isViewCursor,
  maxDepth,
  type SearchCursor,
  splitEnds,
} from '../hits/hit-cursor.ts'
import type { SearchInput } from '../input/search-input.ts'
import { createView, findView, type ResultView, readViewPage } from '../view/view-page.ts'
import { collectSorted } from './collect-records.ts'
import { countRecords } from './count-records.ts'
import { createMatchingRecords } from './matching-records.ts'
import { createRecordRowReader, readRecordPage } from './record-page.ts'
import { createSortKeyReader } from './sort-key.ts'

type SortedInput = SearchInput & { sort: string }

/** Number of records that the second page orders: those of the first page are among them. */
const maxSorted = maxDepth + 100

/** Lists the records that pass the filters in the order of a field. @throws Problem */
export async function searchSorted(session: SearchSession, input: SortedInput): Promise<SearchResult> {
  const { cursor, pointers, limit, highlight } = input
  const after = cursor === undefined ? undefined : decodeSearchCursor(cursor, pointers.cursor)
  const view = after && (await findView(session, after))
  if (after !== undefined && view !== undefined) return readSortedPage(session, input, after, view)
  const { found, meta } = await orderRecords(session, input, after === undefined ? limit + 1 : maxSorted + 1)
  if (after !== undefined && !isViewCursor(after)) {
    const hits: RankedHit[] = found.slice(0, maxSorted).map(({ recordId }) => ({ recordId, score: 0 }))
    const isCut = found.length > hits.length
    const ranking = { ...storedPartOf(meta), ...(isCut && { endWarning: depthReached }) }
    return readSortedPage(session, input, after, createView(after, ranking, hits))
  }
  const { page, last } = await readRecordPage(session, input, found)
  return {
    items: page.map((hit) => toHit(hit, highlight)),
    nextCursor: last === undefined ? null : cursorAfter({ engine: 'postgres', mode: 'lexical' }, meta.total, page),
    meta,
  }
}

/** Returns the first records in the order of the field, of the newest ones, and what is said of all. */
async function orderRecords(session: SearchSession, input: SortedInput, count: number) {
  const maxRecords = session.limits.maxExaminedRecords
  const fields = await resolveFields(session, input)
  const matching = createMatchingRecords(session, fields, input)
  const sorting = { sort: input.sort, readKey: createSortKeyReader(fields, input.sort) }
  const collected = await collectSorted(matching, { count, maxRecords }, sorting)
  const counts = await countRecords(matching, session.limits.maxFacetRecords, fields, input, collected)
  const warnings = [
    ...fields.warnings,
    ...(collected.end === undefined ? [] : [sortedNewest(maxRecords)]),
    ...counts.warnings,
  ]
  return { found: collected.found, meta: metaOf('lexical', warnings, counts) }
}

const storedPartOf = ({ warnings, total, facets }: SearchResult['meta']) => ({
  kind: 'record' as const,
  mode: 'lexical' as const,
  sources: [],
  tsquery: '',
  warnings,
  ...(total !== undefined && { total }),
  ...(facets && { facets }),
})

const readSortedPage = (
  session: SearchSession,
  { limit, highlight, hasData }: SortedInput,
  cursor: SearchCursor,
  view: ResultView,
): Promise<SearchResult> =>
  readViewPage(session, view, {
    limit,
    highlight,
    cursor,
    filter: undefined,
    readRows: createRecordRowReader(session, {
      highlight,
      hasData,
      createdBefore: view.seenAt,
      omittedEnds: splitEnds(view.firstHits),
    }),
    warnings: [],
  })

const sortedNewest = (count: number): Warning => ({
  code: 'sorted_newest',
  message: `Only the ${count} newest records were ordered; name \`data_source_ids\` to order those of fewer sources`,
})
