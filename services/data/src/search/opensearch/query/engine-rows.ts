import { type RecordHead, readRecordHeads } from '../../../store/records/record-heads.ts'
import type { TextSpan } from '../../../store/search/documents.ts'
import { isUnspaced } from '../../../store/search/text/unspaced-text.ts'
import type { CollectedHit, ListedHit, RowReader } from '../../query/hits/collect-hits.ts'
import { endOf } from '../../query/hits/hit-cursor.ts'
import { type MarkedWords, markSnippet, markText } from '../../query/hits/mark-words.ts'
import type { SearchSession } from '../../session/search-session.ts'

/** Fields of a record that the search engine returns. */
export interface EngineHighlight {
  /** With marks around matching words. */
  title?: string | undefined
  snippet?: string | undefined
  /** The part of the text to show instead of a snippet. */
  span?: TextSpan | undefined
}

export interface EngineRowOptions {
  words: MarkedWords
  hasData: boolean
  /** Leaves out records that were created later. */
  createdBefore?: Date
  /** Leaves out the records whose ids end so. */
  omittedEnds?: readonly string[]
  readHighlights(recordIds: readonly string[]): Promise<ReadonlyMap<string, EngineHighlight>>
}

/**
 * Creates the function that reads what hits show from PostgreSQL. The search engine says which records match and in
 * which order, PostgreSQL what they are: a record that was deleted since, or that belongs to another workspace, is
 * never shown.
 */
export function createEngineRowReader(
  { query, workspaceId }: SearchSession,
  { words, hasData, createdBefore, omittedEnds = [], readHighlights }: EngineRowOptions,
): RowReader {
  const omitted = new Set(omittedEnds)
  return async (hits) => {
    const records = hits.flatMap((hit) => ('recordId' in hit && !omitted.has(endOf(hit.recordId)) ? [hit] : []))
    if (records.length === 0) return []
    const highlights = await readHighlights(records.map(({ recordId }) => recordId))
    const keys = records.map(({ recordId }) => ({ recordId, span: highlights.get(recordId)?.span }))
    const heads = await readRecordHeads(query, workspaceId, keys, hasData, createdBefore)
    return heads.flatMap((head) => {
      const hit: ListedHit | undefined = records[head.position]
      return hit === undefined ? [] : [toCollectedHit(hit, head, highlights.get(head.recordId), words)]
    })
  }
}

/** The engine has the letters of texts without spaces as words of their own, so it cannot show these texts. */
function toCollectedHit(
  hit: ListedHit,
  { part, ...head }: RecordHead,
  highlight: EngineHighlight | undefined,
  words: MarkedWords,
): CollectedHit {
  const { title, sourceText } = head
  const isOwnTitle = title !== null && isUnspaced(title)
  const isOwnText = sourceText !== null && isUnspaced(sourceText)
  const markedTitle = isOwnTitle ? markText(title, words) : (highlight?.title ?? null)
  const snippet = isOwnText ? (markSnippet(sourceText, words) ?? part) : (highlight?.snippet ?? part)
  return { hit, score: hit.score, row: { ...head, markedTitle, snippet } }
}
