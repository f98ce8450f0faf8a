import { readOneOf, readText } from '../../api/search-params.ts'

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

/** Reads the parameters of the search page from its address. */
export function readSearchParams(search: Record<string, unknown>): SearchParams {
  const filters = readFilters(search.filters)
  return {
    ...readText(search, 'q', 'source', 'cursor'),
    ...readOneOf(search, 'mode', searchModes),
    ...(Object.keys(filters).length > 0 && { filters }),
  }
}

function readFilters(value: unknown): FacetFilters {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const entries = Object.entries(value).map(([field, values]) => [
    field,
    Array.isArray(values) ? values.filter(isFacetValue) : [],
  ])
  return Object.fromEntries(entries.filter(([, values]) => (values?.length ?? 0) > 0))
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
