import type { TextSpan } from '../../../store/search/documents.ts'
import { type HitRow, readHitRows } from '../../../store/search/hit-rows.ts'
import { textSearchConfiguration } from '../../../store/search/text/text-parsing.ts'
import type { DocumentLocation } from '../../rank/searched-sources.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { RowReader } from './collect-hits.ts'
import { type MarkedWords, markSnippet, markText } from './mark-words.ts'

export interface RowOptions {
  /** Selects snippets and the words to highlight. */
  tsquery: string
  words: MarkedWords
  highlight: boolean
  /** True if hits have the data of their records. */
  hasData: boolean
  /** Returns the text spans to show instead of snippets. */
  nearestSpans?: ((documents: readonly number[]) => Promise<ReadonlyMap<number, TextSpan>>) | undefined
  /** True if a span is shown only where no word of the query is found. */
  prefersWords: boolean
  /** Leaves out records that were created later. */
  createdBefore?: Date | undefined
  /** Leaves out the records whose ids end so. */
  omittedEnds?: readonly string[]
}

/** Creates the function that reads what hits show from the database. */
export function createRowReader(
  { query, workspaceId }: Pick<SearchSession, 'query' | 'workspaceId'>,
  locate: (document: number) => DocumentLocation,
  { words, highlight: isMarked, nearestSpans, ...options }: RowOptions,
): RowReader {
  const hasSourceText = words.unspacedWords.length > 0
  return async (hits) => {
    const spans = await nearestSpans?.(hits.flatMap((hit) => ('document' in hit ? [hit.document] : [])))
    const keys = hits.map((hit) =>
      'document' in hit
        ? { ...locate(hit.document), span: spans?.get(hit.document) }
        : { recordId: hit.recordId, configuration: textSearchConfiguration(undefined) },
    )
    const rows = await readHitRows(query, workspaceId, keys, { ...options, isMarked, hasSourceText })
    return rows.flatMap((row) => {
      const hit = hits[row.position]
      if (hit === undefined) return []
      return [{ hit, score: hit.score, row: hasSourceText ? withMarks(row, words) : row }]
    })
  }
}

function withMarks(row: HitRow, words: MarkedWords): HitRow {
  const title = row.title === null ? null : markText(row.title, words)
  const snippet = row.sourceText === null ? null : markSnippet(row.sourceText, words)
  return { ...row, markedTitle: row.markedTitle && (title ?? row.markedTitle), snippet: snippet ?? row.snippet }
}
