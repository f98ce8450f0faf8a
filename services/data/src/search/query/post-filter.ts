import type { FieldFilter } from '@wp/contracts'
import type { Query } from '@wp/database'
import { declaredFieldsOf } from '../../schema/declared-fields.ts'
import { type PostFilterDocument, readPostFilterDocuments } from '../../store/search/documents.ts'
import { listDeclaringSources } from '../../store/sources/declared-fields.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { SearchedSources } from '../rank/searched-sources.ts'
import { createTopKReader } from '../rank/top-k.ts'
import type { Warning } from '../rank/warning.ts'
import { createFacet, type Facet } from './facets.ts'
import { type Comparison, compareAsDeclared, matchesFilter } from './field-filter.ts'

/** Conditions that the search index cannot evaluate. */
interface PostFilterOptions {
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
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
/** Number of best matches that are read: to count facets, and to fill a page. */
const [maxFacetDocuments, maxFilteredDocuments] = [10_000, 100_000]

/** Filters matches, best first, until a page is full and, if facets are wanted, enough values are counted. */
export async function postFilter(
  query: Query,
  workspaceId: string,
  ranking: Ranking,
  { locate }: Pick<SearchedSources, 'locate'>,
  options: PostFilterOptions,
): Promise<PostFilterResult> {
  const { phrases, filters = {}, facets, limit, isAfterCursor } = options
  const counters = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  const filteredFields = Object.keys(filters)
  const fields = [...filteredFields, ...counters.map(({ field }) => field)]
  const passes = await createPredicate(query, workspaceId, filters)
  const passed: number[] = []
  let [read, total] = [0, 0]
  const matches = facets === undefined && isAfterCursor ? ranking.documents.filter(isAfterCursor) : ranking.documents
  const readNext = createTopKReader({ ...ranking, documents: matches }, batchSize)
  const isDone = () =>
    (passed.length > limit && (facets === undefined || read >= maxFacetDocuments)) || read >= maxFilteredDocuments
  while (!isDone()) {
    const batch = readNext(batchSize)
    if (batch.length === 0) break
    read += batch.length
    const locations = batch.map(locate)
    for (const row of await readPostFilterDocuments(query, workspaceId, locations, fields, phrases)) {
      if (!passes(row, locations[row.position]?.dataSourceId ?? '')) continue
      total++
      for (const [nth, { facet }] of counters.entries())
        if (read <= maxFacetDocuments) facet.add(row.fieldValues[filteredFields.length + nth])
      const document = batch[row.position] ?? 0
      if (passed.length <= limit && (isAfterCursor === undefined || isAfterCursor(document))) passed.push(document)
    }
  }
  const isComplete = read >= matches.length && matches.length === ranking.documents.length
  return {
    passed,
    total: isComplete ? total : undefined,
    facets: facets && Object.fromEntries(counters.map(({ field, facet }) => [field, facet.topValues()])),
    warning: truncationWarning(read < matches.length, facets !== undefined, passed.length > limit),
  }
}

/** Returns the predicate of phrases and filters. The values of the filtered fields come first in `fieldValues`. */
async function createPredicate(
  query: Query,
  workspaceId: string,
  filters: Readonly<Record<string, FieldFilter>>,
): Promise<(row: PostFilterDocument, dataSourceId: string) => boolean> {
  const conditions = Object.entries(filters)
  const comparisons =
    conditions.length > 0 ? await readComparisons(query, workspaceId) : new Map<string, Map<string, Comparison>>()
  return ({ hasPhrases, fieldValues }, dataSourceId) =>
    hasPhrases &&
    conditions.every(([field, filter], nth) =>
      matchesFilter(fieldValues[nth], filter, comparisons.get(dataSourceId)?.get(field)),
    )
}

/** Returns the comparisons of declared fields, by source id and field name. */
async function readComparisons(query: Query, workspaceId: string): Promise<Map<string, Map<string, Comparison>>> {
  const sources = await listDeclaringSources(query, workspaceId)
  return new Map(
    sources.map(({ dataSourceId, declarations }) => [
      dataSourceId,
      new Map([...declaredFieldsOf(declarations)].map(([name, field]) => [name, compareAsDeclared(field)])),
    ]),
  )
}

function truncationWarning(isTruncated: boolean, hasFacets: boolean, isPageFull: boolean): Warning | undefined {
  if (isTruncated && hasFacets)
    return { code: 'facets_of_best', message: `Facets count only the ${maxFacetDocuments} best matches` }
  if (isTruncated && !isPageFull)
    return { code: 'filters_on_best', message: `Filters were applied only to the ${maxFilteredDocuments} best matches` }
  return undefined
}
