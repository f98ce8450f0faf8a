import type { FieldFilter, SearchLanguage, SearchMode } from '@wp/contracts'

/** A search request, the same for both endpoints. */
export interface SearchInput {
  query: string
  dataSourceIds?: readonly string[] | undefined
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  mode: SearchMode
  language?: SearchLanguage | undefined
  highlight: boolean
  minScore?: number | undefined
  limit: number
  cursor?: string | undefined
  /** Pointers to the members of the request, for error details. */
  pointers: { query: string; dataSourceId: (nth: number) => string; cursor: string; mode: string }
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}
