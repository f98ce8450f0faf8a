import { createLocator } from '../../rank/searched-sources.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { RowReader } from '../hits/collect-hits.ts'
import { limitPage } from '../hits/hit.ts'
import { createRowReader, type RowOptions } from '../hits/read-rows.ts'
import type { SearchInput } from '../input/search-input.ts'

/** @returns the hits, and the last record of the page; undefined if no further record was found */
export async function readRecordPage<Found extends { recordId: string }>(
  session: SearchSession,
  { limit, highlight, hasData }: SearchInput,
  found: readonly Found[],
) {
  const records = found.slice(0, limit)
  const hits = await createRecordRowReader(session, { highlight, hasData })(
    records.map(({ recordId }, position) => ({ recordId, score: 0, position })),
  )
  const page = limitPage(hits, limit)
  const isCut = page.length < hits.length
  const last = isCut ? records[page.at(-1)?.hit.position ?? 0] : found.length > limit ? records.at(-1) : undefined
  return { page, last }
}

/** Creates the function that reads what the hits of a search without a query show. */
export const createRecordRowReader = (
  session: SearchSession,
  options: Pick<RowOptions, 'highlight' | 'hasData' | 'createdBefore' | 'omittedEnds'>,
): RowReader =>
  createRowReader(session, createLocator([]), {
    tsquery: '',
    words: { unspacedWords: [], forms: [] },
    prefersWords: false,
    ...options,
  })
