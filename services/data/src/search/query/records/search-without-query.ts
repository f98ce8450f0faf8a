import { problem } from '@wp/contracts'
import { parseCursor } from '@wp/database'
import type { RecordPosition } from '../../../store/search/newest-records.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { resolveFields } from '../filter/searched-fields.ts'
import { metaOf, type SearchResult, toHit } from '../hits/hit.ts'
import type { SearchInput } from '../input/search-input.ts'
import { type CollectedRecords, collectNewest } from './collect-records.ts'
import { countRecords } from './count-records.ts'
import { createMatchingRecords } from './matching-records.ts'
import { readRecordPage } from './record-page.ts'
import { searchSorted } from './search-sorted.ts'

/** Lists the records that pass the filters: newest first, or in the order of a field. @throws Problem */
export async function searchWithoutQuery(session: SearchSession, input: SearchInput): Promise<SearchResult> {
  if (input.sort !== undefined) return searchSorted(session, { ...input, sort: input.sort })
  const { cursor, pointers, limit, highlight } = input
  const maxRecords = session.limits.maxExaminedRecords
  const after = cursor === undefined ? undefined : decodeRecordCursor(cursor, pointers.cursor)
  const fields = await resolveFields(session, input)
  const matching = createMatchingRecords(session, fields, input)
  const collected = await collectNewest(matching, { limit, maxRecords }, after)
  const counts = await countRecords(matching, session.limits.maxFacetRecords, fields, input, collected)
  const { page, last } = await readRecordPage(session, input, collected.found)
  const { warnings, next } = continuationOf(collected, last, maxRecords)
  return {
    items: page.map((hit) => toHit(hit, highlight)),
    nextCursor: next === undefined ? null : encodeRecordCursor(next),
    meta: metaOf('lexical', [...fields.warnings, ...warnings, ...counts.warnings], counts),
  }
}

/** Returns the position of the next page, and what a user should know of this one. */
function continuationOf(
  { end }: CollectedRecords,
  last: RecordPosition | undefined,
  maxRecords: number,
): { next: RecordPosition | undefined; warnings: Warning[] } {
  if (last !== undefined || end === undefined) return { next: last, warnings: [] }
  return { next: end, warnings: [filteredNewest(maxRecords)] }
}

const filteredNewest = (count: number): Warning => ({
  code: 'filters_on_newest',
  message: `Filters were applied only to the next ${count} records; \`next_cursor\` continues after them`,
})

/** Returns the cursor after the last hit of a page of records that are listed newest first. */
const encodeRecordCursor = ({ createdAt, recordId }: RecordPosition): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), recordId])).toString('base64url')

/** @throws Problem `invalid_cursor` */
function decodeRecordCursor(text: string, pointer: string): RecordPosition {
  const [time, recordId] = parseCursor(text)
  if (
    Number.isSafeInteger(time) &&
    Number(time) >= 0 &&
    Number(time) <= maxTime &&
    typeof recordId === 'string' &&
    /^rec_[0-9a-z]{26}$/.test(recordId)
  )
    return { createdAt: new Date(Number(time)), recordId }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

/** The last millisecond of year 9999. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
