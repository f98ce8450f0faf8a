import { useCallback } from 'react'
import { Link } from '../../ui/button/button-link.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../ui/filter/filter-bar.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Card } from '../../ui/page/page.tsx'
import { labelOf } from '../../ui/schema-form/json-schema.ts'
import { useEmbedding } from '../shared/embedding-card.tsx'
import type { Source } from '../shared/queries.ts'
import styles from './search.module.css'
import {
  type FacetFilters,
  type FacetValue,
  type SearchMode,
  type SearchParams,
  toggleFilter,
} from './search-params.ts'

const modes: readonly { value: SearchMode; label: string }[] = [
  { value: 'lexical', label: 'Words' },
  { value: 'semantic', label: 'Meaning' },
  { value: 'hybrid', label: 'Both' },
]

/** The query, the source to search, and how to search where the workspace has embeddings. */
export function SearchBar({
  params,
  sources,
  onChange,
}: {
  params: SearchParams
  sources: readonly Source[]
  onChange: (part: Partial<Record<keyof SearchParams, unknown>>) => void
}) {
  const { data: embedding } = useEmbedding()
  const setQuery = useCallback((q: string | undefined) => onChange({ q }), [onChange])
  const isChosen = embedding !== undefined && embedding.status !== 'off'
  return (
    <Card isFlush>
      <FilterBar onClear={params.filters && (() => onChange({ filters: undefined }))}>
        <TextFilter
          label="Query"
          isSearch
          value={params.q}
          onChange={setQuery}
          placeholder="Words, or a phrase in double quotes"
        />
        <SelectFilter
          label="Source"
          value={params.source}
          onChange={(source) => onChange({ source, filters: undefined })}
          options={sources.map(({ data_source_id, name }) => ({ value: data_source_id, label: name }))}
          all="All sources"
        />
      </FilterBar>
      <div className={styles.mode}>
        {isChosen ? (
          <>
            <span aria-hidden="true">Match by</span>
            <Segmented
              label="Match by"
              options={modes}
              value={params.mode ?? 'lexical'}
              onChange={(mode) => onChange({ mode: mode === 'lexical' ? undefined : mode })}
            />
            {embedding.records.pending > 0 && (
              <span>{embedding.records.pending} rows are found by words only, for now</span>
            )}
          </>
        ) : (
          <p>
            Matches by words. To match by meaning too, <Link to="/$workspaceId/data">choose a language model</Link>.
          </p>
        )}
      </div>
    </Card>
  )
}

interface FacetCount {
  value: FacetValue
  /** Undefined for a chosen value that no match has. */
  count: number | undefined
}

/** The values of fields with their counts, as filters. A field whose values are all different is not listed. */
export function Facets({
  facets,
  filters,
  onChange,
}: {
  facets: Readonly<Record<string, readonly { value: FacetValue; count: number }[]>>
  filters: FacetFilters
  onChange: (filters: FacetFilters | undefined) => void
}) {
  const names = [...new Set([...Object.keys(filters), ...Object.keys(facets)])]
  const shown = names.filter((name) => filters[name] !== undefined || isUseful(facets[name] ?? []))
  if (shown.length === 0) return null
  const toggle = (field: string, value: FacetValue) => {
    const next = toggleFilter(filters, field, value)
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  return (
    <aside className={styles.facets} aria-label="Filters">
      {shown.map((name) => (
        <fieldset key={name} className={styles.facet}>
          <legend>{labelOf(name)}</legend>
          {withChosen(facets[name] ?? [], filters[name] ?? []).map(({ value, count }) => (
            <label key={`${typeof value} ${value}`} className={styles.facetValue}>
              <input
                type="checkbox"
                checked={filters[name]?.includes(value) ?? false}
                onChange={() => toggle(name, value)}
              />
              <span className={styles.facetName}>{value === '' ? '(empty)' : String(value)}</span>
              <span className="muted size-table figures">{count === undefined ? '' : formatNumber(count)}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </aside>
  )
}

/** Tells whether values divide the matches: more than one value, and not every value once. */
const isUseful = (counts: readonly { count: number }[]) => counts.length > 1 && counts.some(({ count }) => count > 1)

/** Adds the chosen values that are not among the most frequent ones. */
function withChosen(counts: readonly FacetCount[], chosen: readonly FacetValue[]): FacetCount[] {
  const missing = chosen.filter((value) => !counts.some((entry) => entry.value === value))
  return [...counts, ...missing.map((value) => ({ value, count: undefined }))]
}
