import type { Source } from '../shared/queries.ts'

export const searchModes = ['lexical', 'semantic', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

export type FacetValue = string | number | boolean
/** The chosen values by field. */
export type FacetFilters = Readonly<Record<string, readonly FacetValue[]>>

/** The parameters of the search page. */
export interface SearchParams {
  q?: string
  source?: string
  cursor?: string
  mode?: SearchMode
  filters?: FacetFilters
}

/** Reads the chosen values of fields from the address of the page. */
export function readFilters(value: unknown): FacetFilters | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value).map(([field, values]) => [
    field,
    Array.isArray(values) ? values.filter(isFacetValue) : [],
  ])
  const chosen = entries.filter(([, values]) => (values?.length ?? 0) > 0)
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen)
}

const isFacetValue = (value: unknown): value is FacetValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Adds a value to the filters of a field, or removes it. */
export function toggleFilter(filters: FacetFilters, field: string, value: FacetValue): FacetFilters {
  const chosen = filters[field] ?? []
  const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
  const { [field]: _previous, ...others } = filters
  return next.length === 0 ? others : { ...others, [field]: next }
}

/** The platform counts at most this many facets in a request. */
const maxFacets = 10

/** Names of fields that identify or describe a record instead of grouping it. */
const ungrouped = /^(id|key|uuid|title|name|text|body|content|description|summary|url|link|email)$/i

/** Chooses the fields to count: texts and flags that may group records, those of most sources first. */
export function facetFields(sources: readonly Pick<Source, 'schema'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { schema } of sources)
    for (const { name, type } of schema)
      if ((type === 'string' || type === 'boolean') && !ungrouped.test(name))
        counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([name]) => name)
    .slice(0, maxFacets)
}
