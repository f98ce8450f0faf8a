import type { FieldFilter } from '@wp/contracts'
import { readPostFilterDocuments } from '../../../store/search/post-filter-documents.ts'
import type { Ranking } from '../../rank/bm25-ranking.ts'
import type { SearchedSources } from '../../rank/searched-sources.ts'
import { createTopKReader } from '../../rank/top-k.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchLimits } from '../../session/search-limits.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { createFacet, type Facet } from './facets.ts'
import { createRecordFilter } from './record-filter.ts'
import type { SearchedFields } from './searched-fields.ts'

/** Conditions that the search index cannot evaluate. */
interface PostFilterOptions {
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  /** The fields of filters and facets; undefined if there are none. */
  fields: SearchedFields | undefined
  limit: number
  /** Returns true for documents after the cursor; undefined on the first page. */
  isAfterCursor: ((document: number) => boolean) | undefined
}

export interface PostFilterResult {
  /** Passing documents after the cursor, best first: one more than the page limit if there are as many. */
  passed: number[]
  /** Number of passing documents; undefined unless every match was read. */
  total: number | undefined
  facets: Record<string, Facet> | undefined
  warning: Warning | undefined
}

const batchSize = 1_000

/** Filters matches, best first, until a page is full and, if facets are wanted, enough values are counted. */
export async function postFilter(
  session: SearchSession,
  ranking: Ranking,
  { locate }: Pick<SearchedSources, 'locate'>,
  options: PostFilterOptions,
): Promise<PostFilterResult> {
  const { phrases, filters = {}, facets, limit, isAfterCursor } = options
  const { maxFacetRecords, maxExaminedRecords } = session.limits
  const counters = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  const filteredFields = Object.keys(filters)
  const names = [...new Set([...filteredFields, ...counters.map(({ field }) => field)])]
  const columns = new Map(names.map((field, column) => [field, column]))
  const passes = createRecordFilter(session, filters, columns, options.fields)
  const passed: number[] = []
  let [read, total] = [0, 0]
  const matches = facets === undefined && isAfterCursor ? ranking.documents.filter(isAfterCursor) : ranking.documents
  const readNext = createTopKReader({ ...ranking, documents: matches }, batchSize)
  let batch: number[] = []
  const isDone = () =>
    (passed.length > limit && (facets === undefined || read >= maxFacetRecords)) || read >= maxExaminedRecords
  while (!isDone()) {
    batch = [...batch, ...readNext(batchSize - batch.length)]
    if (batch.length === 0) break
    const locations = batch.map(locate)
    const page = await readPostFilterDocuments(session.query, session.workspaceId, locations, names, phrases)
    read += page.read
    for (const row of page.documents) {
      if (!row.hasPhrases || !(await passes(row.fieldValues, locations[row.position]?.dataSourceId ?? ''))) continue
      total++
      for (const { field, facet } of counters)
        if (read <= maxFacetRecords) facet.add(row.fieldValues[columns.get(field) ?? 0])
      const document = batch[row.position] ?? 0
      if (passed.length <= limit && (isAfterCursor === undefined || isAfterCursor(document))) passed.push(document)
      if (session.isYieldDue()) await session.yieldIfDue()
    }
    batch = batch.slice(page.read)
  }
  const isComplete = read >= matches.length && matches.length === ranking.documents.length
  return {
    passed,
    total: isComplete ? total : undefined,
    facets: facets && Object.fromEntries(counters.map(({ field, facet }) => [field, facet.topValues()])),
    warning:
      read < matches.length
        ? truncationWarning(session.limits, facets !== undefined, passed.length > limit)
        : undefined,
  }
}

/** Returns what a user should know if some matches were not read. */
function truncationWarning(limits: SearchLimits, hasFacets: boolean, isPageFull: boolean): Warning | undefined {
  if (hasFacets)
    return { code: 'facets_of_best', message: `Facets count only the ${limits.maxFacetRecords} best matches` }
  if (!isPageFull)
    return {
      code: 'filters_on_best',
      message: `Filters were applied only to the ${limits.maxExaminedRecords} best matches`,
    }
  return undefined
}
