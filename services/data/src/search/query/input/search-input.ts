import type { FieldFilter, SearchLanguage, SearchMode } from '@wp/contracts'

/** A search request, the same for both endpoints. */
export interface SearchInput {
  /** Undefined: lists the records that pass the filters. */
  query?: string | undefined
  dataSourceIds?: readonly string[] | undefined
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  /** Field by which a search without a query is ordered; with a leading `-` descending. */
  sort?: string | undefined
  mode: SearchMode
  language?: SearchLanguage | undefined
  highlight: boolean
  /** True if hits have the data of their records. */
  hasData: boolean
  minScore?: number | undefined
  limit: number
  cursor?: string | undefined
  /** Pointers to the members of the request, for error details. */
  pointers: { query: string; dataSourceId: (nth: number) => string; cursor: string; mode: string }
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}
