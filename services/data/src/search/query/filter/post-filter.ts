import type { FieldFilter } from '@wp/contracts'
import { readPostFilterDocuments } from '../../../store/search/post-filter-documents.ts'
import type { Ranking } from '../../rank/bm25-ranking.ts'
import type { SearchedSources } from '../../rank/searched-sources.ts'
import { createTopKReader } from '../../rank/top-k.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchLimits, SearchSession } from '../../session/search-session.ts'
import { createFacet, type Facet } from './facets.ts'
import { createRecordFilter } from './record-filter.ts'
import type { SearchedFields } from './searched-fields.ts'

/** Conditions that the search index cannot evaluate. */
export interface PostFilterConditions {
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  /** The fields of filters and facets; undefined if there are none. */
  fields: SearchedFields | undefined
}

export interface PostFilterResult {
  /** Passing documents, best first: one more than the page limit if there are as many. */
  passed: number[]
  /** Number of passing documents; undefined unless every match was read. */
  total: number | undefined
  facets: Record<string, Facet> | undefined
  warning: Warning | undefined
}

/** Number of documents that are filtered at once. */
export const filterBatch = 1_000

/** Filters matches, best first, until a page is full and, if facets are wanted, enough values are counted. */
export async function postFilter(
  session: SearchSession,
  ranking: Ranking,
  sources: Pick<SearchedSources, 'locate'>,
  { limit, ...conditions }: PostFilterConditions & { limit: number },
): Promise<PostFilterResult> {
  const { facets } = conditions
  const { maxFacetRecords, maxExaminedRecords } = session.limits
  const counters = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  const passed: number[] = []
  let [read, total] = [0, 0]
  const filter = createDocumentFilter(session, sources, conditions)
  const readNext = createTopKReader(ranking, filterBatch)
  let batch: number[] = []
  const isDone = () =>
    (passed.length > limit && (facets === undefined || read >= maxFacetRecords)) || read >= maxExaminedRecords
  while (!isDone()) {
    batch = [...batch, ...readNext(filterBatch - batch.length)]
    if (batch.length === 0) break
    const page = await filter(batch)
    read += page.read
    for (const { position, fieldValue } of page.passed) {
      total++
      for (const { field, facet } of counters) if (read <= maxFacetRecords) facet.add(fieldValue(field))
      if (passed.length <= limit) passed.push(batch[position] ?? 0)
      if (session.isYieldDue()) await session.yieldIfDue()
    }
    batch = batch.slice(page.read)
  }
  const matches = ranking.documents.length
  return {
    passed,
    total: read >= matches ? total : undefined,
    facets: facets && Object.fromEntries(counters.map(({ field, facet }) => [field, facet.topValues()])),
    warning:
      read < matches ? truncationWarning(session.limits, facets !== undefined, passed.length > limit) : undefined,
  }
}

export interface FilteredDocuments {
  /** Indexes of the passing documents, and their values. */
  passed: { position: number; fieldValue(field: string): unknown }[]
  /** Number of documents that were read: fewer than given if their values are large. */
  read: number
}

/** Creates the function that tests documents by phrases and filters. Deleted ones do not pass. */
export function createDocumentFilter(
  session: SearchSession,
  { locate }: Pick<SearchedSources, 'locate'>,
  { phrases, filters = {}, facets = [], fields }: PostFilterConditions,
): (documents: readonly number[]) => Promise<FilteredDocuments> {
  const names = [...new Set([...Object.keys(filters), ...facets])]
  const columns = new Map(names.map((field, column) => [field, column]))
  const passes = createRecordFilter(session, filters, columns, fields)
  return async (documents) => {
    const locations = documents.map(locate)
    const page = await readPostFilterDocuments(session.query, session.workspaceId, locations, names, phrases)
    const passed: FilteredDocuments['passed'] = []
    for (const { position, hasPhrases, fieldValues } of page.documents) {
      if (!hasPhrases || !(await passes(fieldValues, locations[position]?.dataSourceId ?? ''))) continue
      passed.push({ position, fieldValue: (field) => fieldValues[columns.get(field) ?? 0] })
    }
    return { passed, read: page.read }
  }
}

/** Returns what a user should know if some matches were not read. */
function truncationWarning(limits: SearchLimits, hasFacets: boolean, isPageFull: boolean): Warning | undefined {
  if (hasFacets)
    return { code: 'facets_of_best', message: `Facets count only the ${limits.maxFacetRecords} best matches` }
  return isPageFull ? undefined : filtersOnBest(limits.maxExaminedRecords)
}

export const filtersOnBest = (count: number): Warning => ({
  code: 'filters_on_best',
  message: `Filters were applied only to the ${count} best matches`,
})
