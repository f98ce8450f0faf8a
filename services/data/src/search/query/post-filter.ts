import type { FieldFilter } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { DeclaredFields } from '../../schema/declared-fields.ts'
import { type DocumentKey, readPostFilterDocuments } from '../../store/search/documents.ts'
import { listDeclaredFields } from '../../store/sources/declared-fields.ts'
import type { Ranking } from '../rank/bm25-ranking.ts'
import { createTopKReader } from '../rank/top-k.ts'
import { createFacet, type Facet } from './facets.ts'
import { compareAsDeclared, matchesFilter } from './field-filter.ts'

/** What cannot be answered from the index alone. */
interface PostFilterOptions {
  phrases: readonly string[]
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  limit: number
  /** Which documents come after the cursor, where there is one. */
  createAfterCursor: ((document: number) => boolean) | undefined
}

export interface PostFilterResult {
  /** The first documents after the cursor that pass, one more than a page where there are as many. */
  passed: number[]
  /** How many pass, where all were looked at. */
  total: number | undefined
  facets: Record<string, Facet> | undefined
  warning: { code: string; message: string } | undefined
}

const chunk = 1_000
/** Documents that are looked at: to count values, and to fill a page. */
const [maxFacetDocuments, maxFilteredDocuments] = [10_000, 100_000]

/** Goes through the matches, best first, until a page is full; where values are counted, through as many as are. */
export async function postFilter(
  query: Query,
  workspaceId: string,
  ranking: Ranking,
  placeOf: (document: number) => DocumentKey & { configuration: string },
  { phrases, filters = {}, facets, limit, createAfterCursor: isLater }: PostFilterOptions,
): Promise<PostFilterResult> {
  const filtered = Object.entries(filters)
  const counted = (facets ?? []).map((field) => ({ field, facet: createFacet() }))
  const fields = [...filtered.map(([field]) => field), ...counted.map(({ field }) => field)]
  const declared =
    filtered.length > 0 ? await listDeclaredFields(query, workspaceId) : new Map<string, DeclaredFields>()
  const comparisons = new Map([...declared].map(([id, fields]) => [id, comparisonsOf(fields)]))
  const passed: number[] = []
  let [looked, total] = [0, 0]
  const matches = facets === undefined && isLater ? ranking.documents.filter(isLater) : ranking.documents
  const candidates = createTopKReader({ ...ranking, documents: matches }, chunk)
  const isEnough = () =>
    (passed.length > limit && (facets === undefined || looked >= maxFacetDocuments)) || looked >= maxFilteredDocuments
  while (!isEnough()) {
    const next = candidates(chunk)
    if (next.length === 0) break
    looked += next.length
    const places = next.map(placeOf)
    for (const { place, hasPhrases, fieldValues: cells } of await readPostFilterDocuments(
      query,
      workspaceId,
      places,
      fields,
      phrases,
    )) {
      const by = comparisons.get(places[place]?.dataSourceId ?? '')
      if (!hasPhrases || !filtered.every(([field, filter], nth) => matchesFilter(cells[nth], filter, by?.get(field))))
        continue
      total++
      for (const [nth, { facet }] of counted.entries())
        if (looked <= maxFacetDocuments) facet.add(cells[filtered.length + nth])
      const document = next[place] ?? 0
      if (passed.length <= limit && (isLater === undefined || isLater(document))) passed.push(document)
    }
  }
  const isWhole = looked >= matches.length && matches.length === ranking.documents.length
  return {
    passed,
    total: isWhole ? total : undefined,
    facets: facets && Object.fromEntries(counted.map(({ field, facet }) => [field, facet.topValues()])),
    warning: warningOf(looked < matches.length, facets !== undefined, passed.length > limit),
  }
}

const comparisonsOf = (fields: DeclaredFields) =>
  new Map([...fields].map(([name, field]) => [name, compareAsDeclared(field)]))

function warningOf(isCut: boolean, isCounting: boolean, isFull: boolean): PostFilterResult['warning'] {
  if (isCut && isCounting)
    return { code: 'facets_of_best', message: `Values are counted among the ${maxFacetDocuments} best matches` }
  if (isCut && !isFull)
    return { code: 'filters_on_best', message: `Filters were held against the ${maxFilteredDocuments} best matches` }
  return undefined
}
