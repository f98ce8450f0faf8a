import { formatNumber } from '../../ui/format/format.ts'
import { labelOf } from '../../ui/schema-form/json-schema.ts'
import styles from './search.module.css'
import { type FacetFilters, type FacetValue, toggleFilter } from './search-params.ts'

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
              <span className={styles.facetCount}>{count === undefined ? '' : formatNumber(count)}</span>
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
