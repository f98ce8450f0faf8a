import { readHitRows } from '../../../store/search/hit-rows.ts'
import { textSearchConfiguration } from '../../../store/search/text-search-configuration.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { resolveFields, type SearchedFields } from '../filter/searched-fields.ts'
import { limitPage, type SearchResult, toHit } from '../hits/hit.ts'
import { assertSourcesExist } from '../input/assert-sources-exist.ts'
import type { SearchInput } from '../input/search-input.ts'
import { type CollectedHits, collectNewest, collectSorted } from './collect-hits.ts'
import { countRecords } from './count-records.ts'
import { createMatchingRecords } from './matching-records.ts'
import { decodeRecordCursor, encodeRecordCursor, type RecordCursor } from './record-cursor.ts'
import { createSortKeyReader } from './sort-key.ts'

/** Lists the records that pass the filters: newest first, or in the order of a field. @throws Problem */
export async function searchWithoutQuery(session: SearchSession, input: SearchInput): Promise<SearchResult> {
  const { sort, pointers } = input
  const size = { limit: input.limit, maxRecords: session.limits.maxExaminedRecords }
  const after = input.cursor === undefined ? undefined : decodeRecordCursor(input.cursor, sort, pointers.cursor)
  await assertSourcesExist(session, input)
  const fields = await resolveFields(session, input)
  const matching = createMatchingRecords(session, fields, input)
  const collected = await (sort === undefined
    ? collectNewest(matching, size, after)
    : collectSorted(matching, size, after, { sort, readKey: createSortKeyReader(fields, sort) }))
  const counts = await countRecords(matching, session.limits.maxFacetRecords, fields, input, collected)
  const { items, last } = await readPage(session, fields, input, collected)
  const { warnings, next } = continuationOf(collected, last, input, size.maxRecords)
  return {
    items,
    nextCursor: next === undefined ? null : encodeRecordCursor(sort, next),
    meta: {
      mode_used: 'lexical',
      warnings: [...fields.warnings, ...warnings, ...counts.warnings],
      ...(counts.total !== undefined && { total: counts.total }),
      ...(counts.facets && { facets: counts.facets }),
    },
  }
}

/** @returns the hits, and the last record of the page; undefined if no further record was found */
async function readPage(
  { query, workspaceId }: SearchSession,
  fields: SearchedFields,
  { limit, highlight, hasData, language }: SearchInput,
  { found }: CollectedHits,
) {
  const page = found.slice(0, limit)
  const languages = new Map(fields.sources.map((source) => [source.dataSourceId, source.language]))
  const keys = page.map(({ dataSourceId, recordId }) => ({
    dataSourceId,
    recordId,
    configuration: textSearchConfiguration(language ?? languages.get(dataSourceId)),
  }))
  const rows = await readHitRows(query, workspaceId, keys, { tsquery: '', isMarked: highlight, hasData })
  const hits = rows.map((row) => ({ row, dataSourceId: page[row.position]?.dataSourceId ?? '', score: 0 }))
  const shown = limitPage(hits, limit)
  const isCut = shown.length < hits.length
  return {
    items: shown.map((hit) => toHit(hit, highlight)),
    last: isCut ? page[shown.at(-1)?.row.position ?? 0] : found.length > limit ? page.at(-1) : undefined,
  }
}

/** Returns the position of the next page, and what a user should know of this one. */
function continuationOf(
  { end }: CollectedHits,
  last: RecordCursor | undefined,
  { sort }: SearchInput,
  maxRecords: number,
): { next: RecordCursor | undefined; warnings: Warning[] } {
  if (sort !== undefined) return { next: last, warnings: end === undefined ? [] : [sortedNewest(maxRecords)] }
  if (last !== undefined || end === undefined) return { next: last, warnings: [] }
  return { next: { ...end, sortKey: undefined }, warnings: [filteredNewest(maxRecords)] }
}

const sortedNewest = (count: number): Warning => ({
  code: 'sorted_newest',
  message: `Only the ${count} newest records were ordered; name \`data_source_ids\` to order those of fewer sources`,
})
const filteredNewest = (count: number): Warning => ({
  code: 'filters_on_newest',
  message: `Filters were applied only to the next ${count} records; \`next_cursor\` continues after them`,
})
