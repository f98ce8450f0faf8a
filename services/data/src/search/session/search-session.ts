import type { Database, Query } from '@wp/database'
import { inIndexOrder } from '../../store/records/record-keys.ts'
import type { SearchSource } from '../../store/search/list-search-sources.ts'
import type { RankedHit } from '../../store/search/ranked-hits.ts'
import { saveSearchView } from '../../store/search/search-views.ts'
import type { TimeSlices } from './time-slices.ts'

/** The resources of the steps of one search. Every member throws the reason of the search's end, if it was ended. */
export interface SearchSession {
  workspaceId: string
  /** The sources of the workspace whose records are not restricted, by id. */
  sources: readonly SearchSource[]
  /** Runs a statement. A connection is held for this statement only, and the statement is cancelled with the search. */
  query: Query
  /** Runs a statement whose rows PostgreSQL must read in the order of an index. */
  queryInIndexOrder: Query
  /**
   * Resolves at once, or after other requests of the process had their turn. Call it between parts of a computation.
   */
  yieldIfDue(): Promise<void>
  /** Returns true if the computation should call `yieldIfDue`; for loops in which awaiting costs too much. */
  isYieldDue(): boolean
  /** Stores the ranked hits of a search for its further pages. @returns the id of the view */
  saveView(view: Parameters<typeof saveSearchView>[2], hits: readonly RankedHit[]): Promise<string>
  limits: SearchLimits
  /** Aborted at the end of the search. */
  signal: AbortSignal
}

interface SearchResources {
  database: Pick<Database, 'read' | 'worker'>
  timeSlices: TimeSlices
  searchLimits: SearchLimits
}

/** @param signal ends the search */
export function createSearchSession(
  { database, timeSlices, searchLimits }: SearchResources,
  workspaceId: string,
  signal: AbortSignal,
): Omit<SearchSession, 'sources'> {
  const slice = timeSlices()
  const scope = { workspaceId, signal }
  return {
    workspaceId,
    query: <Row>(...statement: Parameters<Query>) =>
      database.read(scope, (_db, query) => query<Row>(...statement)).finally(slice.restart),
    queryInIndexOrder: <Row>(text: string, values?: readonly unknown[]) =>
      database.read(scope, (_db, query) => inIndexOrder(query, () => query<Row>(text, values))).finally(slice.restart),
    async saveView(view, hits) {
      signal.throwIfAborted()
      return await saveSearchView(database.worker, workspaceId, view, hits)
    },
    isYieldDue: slice.isOver,
    limits: searchLimits,
    signal,
    async yieldIfDue() {
      if (slice.isOver()) await slice.next()
      signal.throwIfAborted()
    },
  }
}

/** Bounds of what one search reads. */
export interface SearchLimits {
  /** Number of records that are read to fill or order a page: the best matches, or the newest records. */
  maxExaminedRecords: number
  /** Number of records whose values facets count. */
  maxFacetRecords: number
}

export const searchLimits: SearchLimits = { maxExaminedRecords: 100000, maxFacetRecords: 10000 }
