import type { QueryEmbedding } from '../rank/semantic-ranking.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchSession } from '../session/search-session.ts'
import type { SearchResult } from './hits/hit.ts'
import type { SearchCursor } from './hits/hit-cursor.ts'
import type { ParsedQuery } from './input/parse-query.ts'
import type { SearchInput } from './input/search-input.ts'

/** A search with a query. */
export interface QuerySearch extends SearchInput {
  query: string
  parsed: ParsedQuery
  /** End of the page before. */
  after: SearchCursor | undefined
  /** Undefined: the search is by words alone. */
  embedding: QueryEmbedding | undefined
  /** Warnings about the embedding of the query. */
  embeddingWarnings: readonly Warning[]
}

/** Finds and ranks records, and reads one page of them. */
export interface SearchEngine {
  /**
   * @throws Problem `validation_failed`, `cursor_expired`, `search_timeout`; the reason of the session's end
   */
  search(session: SearchSession, request: QuerySearch): Promise<SearchResult>
}
