import type { FieldFilter } from '@wp/contracts'
import { declaredFieldsOf } from '../../schema/declared-fields.ts'
import { type PostFilterDocument, readPostFilterDocuments } from '../../store/search/post-filter-documents.ts'
import { listDeclaringSources } from '../../store/sources/declared-fields.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import type { SearchedSources } from '../rank/searched-sources.ts'
import { createTopKReader } from '../rank/top-k.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchSession } from '../session/search-session.ts'
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
  session: SearchSession,
  ranking: Ranking,
  { locate }: Pick<SearchedSources, 'locate'>,
  options: PostFilterOptions,
): Promise<PostFilterResult> {
  const { phrases, filters = {}, facets, limit, isAfterCursor } = options
  const counters = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  const filteredFields = Object.keys(filters)
  const fields = [...new Set([...filteredFields, ...counters.map(({ field }) => field)])]
  const columns = new Map(fields.map((field, column) => [field, column]))
  const passes = await createPredicate(session, filters, columns)
  const passed: number[] = []
  let [read, total] = [0, 0]
  const matches = facets === undefined && isAfterCursor ? ranking.documents.filter(isAfterCursor) : ranking.documents
  const readNext = createTopKReader({ ...ranking, documents: matches }, batchSize)
  let batch: number[] = []
  const isDone = () =>
    (passed.length > limit && (facets === undefined || read >= maxFacetDocuments)) || read >= maxFilteredDocuments
  while (!isDone()) {
    batch = [...batch, ...readNext(batchSize - batch.length)]
    if (batch.length === 0) break
    const locations = batch.map(locate)
    const page = await readPostFilterDocuments(session.query, session.workspaceId, locations, fields, phrases)
    read += page.read
    for (const row of page.documents) {
      if (!(await passes(row, locations[row.position]?.dataSourceId ?? ''))) continue
      total++
      for (const { field, facet } of counters)
        if (read <= maxFacetDocuments) facet.add(row.fieldValues[columns.get(field) ?? 0])
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
    warning: truncationWarning(read < matches.length, facets !== undefined, passed.length > limit),
  }
}

/** Returns the predicate of phrases and filters. @param columns index of a field in `fieldValues` */
async function createPredicate(
  session: SearchSession,
  filters: Readonly<Record<string, FieldFilter>>,
  columns: ReadonlyMap<string, number>,
): Promise<(row: PostFilterDocument, dataSourceId: string) => Promise<boolean>> {
  const conditions = Object.entries(filters)
  const comparisons =
    conditions.length > 0 ? await readComparisons(session) : new Map<string, Map<string, Comparison>>()
  return async ({ hasPhrases, fieldValues }, dataSourceId) => {
    if (!hasPhrases) return false
    for (const [field, filter] of conditions) {
      const value = fieldValues[columns.get(field) ?? 0]
      if (!matchesFilter(value, filter, comparisons.get(dataSourceId)?.get(field))) return false
      // One condition on a long array takes milliseconds.
      if (session.isYieldDue()) await session.yieldIfDue()
    }
    return true
  }
}

/** Returns the comparisons of declared fields, by source id and field name. */
async function readComparisons({ query, workspaceId }: SearchSession): Promise<Map<string, Map<string, Comparison>>> {
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
