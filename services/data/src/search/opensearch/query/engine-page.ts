import { readRecordHeads } from '../../../store/records/record-heads.ts'
import type { TextSpan } from '../../../store/search/documents.ts'
import { type Hit, limitPage, toHit } from '../../query/hits/hit.ts'
import { encodeRecordHitCursor, type RecordHitCursor } from '../../query/hits/hit-cursor.ts'
import { depthReached, maxDepth } from '../../query/hits/hit-depth.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'

/** A record in the ranking of the search engine. */
export interface RankedRecord {
  recordId: string
  score: number
  /** With marks around matching words. */
  title?: string | undefined
  snippet?: string | undefined
  /** The part of the text to show instead of a snippet. */
  span?: TextSpan | undefined
}

interface PageOptions {
  mode: RecordHitCursor['mode']
  limit: number
  highlight: boolean
  hasData: boolean
  /** Number of hits on the pages before. */
  depth: number
}

export interface EnginePage {
  items: Hit[]
  nextCursor: string | null
  warnings: Warning[]
}

/**
 * Reads the records of a page from PostgreSQL. The search engine says which records match and in which order,
 * PostgreSQL what they are: a record that was deleted since, or that belongs to another workspace, is never shown.
 * @param ranked one more than the limit if there are further hits
 */
export async function readEnginePage(
  { query, workspaceId }: SearchSession,
  ranked: readonly RankedRecord[],
  { mode, limit, highlight, hasData, depth }: PageOptions,
): Promise<EnginePage> {
  const page = ranked.slice(0, limit)
  const rows = await readRecordHeads(query, workspaceId, page, hasData)
  const found = rows.map(({ part, dataSourceId, ...row }) => {
    const record = page[row.position]
    const shown = { ...row, markedTitle: record?.title ?? null, snippet: record?.snippet ?? part }
    return { row: shown, dataSourceId, score: record?.score ?? 0 }
  })
  const shown = limitPage(found, limit)
  const isCut = shown.length < found.length
  const end = isCut ? (shown.at(-1)?.row.position ?? 0) + 1 : page.length
  const hasMore = isCut || ranked.length > limit
  const total = depth + end
  const last = hasMore && total < maxDepth ? page[end - 1] : undefined
  return {
    items: shown.map((hit) => toHit(hit, highlight)),
    nextCursor: last === undefined ? null : encodeRecordHitCursor({ mode, ...last, shown: total }),
    warnings: hasMore && total >= maxDepth ? [depthReached] : [],
  }
}
