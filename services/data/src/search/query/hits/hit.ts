import type { dataSearch } from '@wp/contracts'
import type { z } from 'zod'
import type { HitRow } from '../../../store/search/hit-rows.ts'
import { renderHighlights, stripHighlights } from './highlight.ts'

export type Hit = z.input<typeof dataSearch.search.list>

/** One page of hits. */
export interface SearchResult {
  items: Hit[]
  nextCursor: string | null
  meta: z.input<typeof dataSearch.search.meta>
}

/** The part of a row that a hit shows. */
export type ShownRow = Omit<HitRow, 'position' | 'sourceText' | 'readAt'>

export interface FoundHit {
  row: ShownRow
  score: number
}

/** Returns a hit as in the contract. @param highlight true: title and snippet are HTML with marks */
export const toHit = ({ row, score }: FoundHit, highlight: boolean): Hit => ({
  record_id: row.recordId,
  data_source_id: row.dataSourceId,
  key: row.key,
  title: row.title !== null && highlight ? renderHighlights(row.markedTitle ?? row.title) : row.title,
  url: row.url,
  snippet: row.snippet && (highlight ? renderHighlights(row.snippet) : stripHighlights(row.snippet)),
  score,
  ...(row.data === undefined ? {} : { data: row.data }),
})

/** Returns the rows of a page: at most `limit`, and those whose data fits into it. */
export function limitPage<Found extends { row: Pick<HitRow, 'isBeyondPage'> }>(
  found: readonly Found[],
  limit: number,
): Found[] {
  const end = found.findIndex(({ row }) => row.isBeyondPage)
  return found.slice(0, end === -1 ? limit : Math.min(end, limit))
}
