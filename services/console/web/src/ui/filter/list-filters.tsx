import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { FilterBar, SelectFilter, TextFilter } from './filter-bar.tsx'

/** A filter of a list: one of the options, or a text if there are none. */
export interface ListFilter {
  /** Search parameter of the page. */
  name: string
  label: string
  options?: readonly (string | { value: string; label: string })[]
  placeholder?: string
  /** True for the search box of the bar. */
  isSearch?: boolean
}

type Change = Readonly<Record<string, string | undefined>>

/** The bar of filters that are search parameters of the page. A change of one shows the first page of the list. */
export function ListFilters({ filters }: { filters: readonly ListFilter[] }) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (change: Change) => {
      // The router checks search parameters as it does those of a typed address.
      const next = changeSearch(search, { ...change, cursor: undefined }) as never
      void navigate({ to: '.', search: next, replace: true })
    },
    [navigate, search],
  )
  const isFiltered = filters.some(({ name }) => search[name] !== undefined)
  const clear = () => set(Object.fromEntries(filters.map(({ name }) => [name, undefined])))
  return (
    <FilterBar onClear={isFiltered ? clear : undefined}>
      {filters.map((filter) => (
        <ParameterFilter key={filter.name} filter={filter} value={search[filter.name]} set={set} />
      ))}
    </FilterBar>
  )
}

function ParameterFilter({
  filter: { name, options, ...shown },
  value,
  set,
}: {
  filter: ListFilter
  value: unknown
  set: (change: Change) => void
}) {
  const onChange = useCallback((text: string | undefined) => set({ [name]: text }), [name, set])
  const text = typeof value === 'string' ? value : undefined
  if (options === undefined) return <TextFilter {...shown} value={text} onChange={onChange} />
  return <SelectFilter label={shown.label} value={text} options={options} onChange={onChange} />
}
