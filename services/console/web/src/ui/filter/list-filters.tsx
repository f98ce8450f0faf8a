import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { FilterBar, SelectFilter, TextFilter } from './filter-bar.tsx'

/** A filter of a list: one of the options, or a text if there are none. */
export interface ListFilter {
  /** Search parameter of the page. */
  name: string
  label: string
  options?: readonly (string | { value: string; label: string })[]
  placeholder?: string
  /** The text of the first option, which means all. */
  all?: string
  /** True for the search box of the bar. */
  isSearch?: boolean
  /** True for an order, which leaves nothing out. */
  isOrder?: boolean
}

type Change = Readonly<Record<string, string | undefined>>

/**
 * The bar of filters that are search parameters of the page. A change of one shows the first page of the list.
 * @param props.also further parameters that leave rows out, which the children of the bar show
 */
export function ListFilters({
  filters,
  also = [],
  children,
}: {
  filters: readonly ListFilter[]
  also?: readonly string[]
  children?: ReactNode
}) {
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
  const names = [...filters.filter(({ isOrder }) => !isOrder).map(({ name }) => name), ...also]
  const isFiltered = names.some((name) => search[name] !== undefined)
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])))
  return (
    <FilterBar onClear={isFiltered ? clear : undefined}>
      {filters.map((filter) => (
        <ParameterFilter key={filter.name} filter={filter} value={search[filter.name]} set={set} />
      ))}
      {children}
    </FilterBar>
  )
}

function ParameterFilter({
  filter: { name, options, all, isOrder: _isOrder, ...shown },
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
  return <SelectFilter label={shown.label} value={text} options={options} onChange={onChange} {...(all && { all })} />
}
