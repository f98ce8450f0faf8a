import type { dataSearch, SearchMode } from '@wp/contracts'
import { escapeHtml } from '@wp/service'
import type { z } from 'zod'
import type { HitRow } from '../../../store/search/hit-rows.ts'
import { markEnd, markStart, placeholders } from '../../../store/search/text/highlight-marks.ts'
import type { Warning } from '../../rank/warning.ts'

export type Hit = z.input<typeof dataSearch.search.list>

/** One page of hits. */
export interface SearchResult {
  items: Hit[]
  nextCursor: string | null
  meta: z.input<typeof dataSearch.search.meta>
}

/** Returns what a page says of its search. */
export const metaOf = (
  mode: SearchMode,
  warnings: Warning[],
  { total, facets }: { total?: number | undefined; facets?: SearchResult['meta']['facets'] | undefined },
): SearchResult['meta'] => ({
  mode_used: mode,
  warnings,
  ...(total !== undefined && { total }),
  ...(facets && { facets }),
})

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

const marks = new RegExp(`[${markStart}${markEnd}]`, 'g')

/** Renders a marked text as HTML: escaped, with `<mark>` as the only element. */
export const renderHighlights = (text: string): string =>
  escapeHtml(restorePlaceholders(text)).replaceAll(markStart, '<mark>').replaceAll(markEnd, '</mark>')

/** Returns a marked text as plain text. */
export const stripHighlights = (text: string): string => restorePlaceholders(text).replaceAll(marks, '')

const originals = new Map<string, string>(
  Object.entries(placeholders).map(([character, placeholder]) => [placeholder, character]),
)
const anyPlaceholder = new RegExp(`[${[...originals.keys()].join('')}]`, 'g')

const restorePlaceholders = (text: string): string =>
  text.replaceAll(anyPlaceholder, (placeholder) => originals.get(placeholder) ?? placeholder)
