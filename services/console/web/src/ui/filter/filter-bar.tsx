import { type ReactNode, useEffect, useState } from 'react'
import { Button, classNames, Icon } from '../button/button.tsx'
import { Input, Select } from '../form/controls.tsx'
import { formatName } from '../format/format.ts'
import styles from './filter-bar.module.css'
import { FilterChips, type FilterPreset } from './filter-chips.tsx'

/**
 * The filters of a list, which are search parameters of its page: a search box, chips for the other filters, and the
 * presets and saved views.
 * @param props.onClear undefined while nothing is filtered
 * @param props.isLocal the filters are no search parameters
 */
export const FilterBar = ({
  children,
  onClear,
  presets,
  isLocal = false,
}: {
  children?: ReactNode
  onClear?: (() => void) | undefined
  presets?: readonly FilterPreset[]
  isLocal?: boolean
}) => (
  <search className={styles.bar}>
    <div className={styles.filters}>
      {children}
      {onClear && (
        <Button variant="quiet" size="small" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
    {!isLocal && <FilterChips {...(presets && { presets })} />}
  </search>
)

const typingPauseMs = 300

/** A text filter. The change is reported when the person pauses. `isSearch` for the search box of the bar. */
export function TextFilter({
  label,
  value,
  onChange,
  placeholder = '',
  isSearch = false,
  list,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  placeholder?: string
  isSearch?: boolean
  /** Id of a `datalist` with values to choose from. */
  list?: string
}) {
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  useEffect(() => {
    if (text === (value ?? '')) return
    const timer = setTimeout(() => onChange(text || undefined), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <label className={isSearch ? styles.search : styles.chip} data-active={value !== undefined}>
      <span className={isSearch ? 'visually-hidden' : undefined}>{label}</span>
      {isSearch && <Icon name="search" size={15} />}
      <Input
        type={isSearch ? 'search' : 'text'}
        value={text}
        placeholder={isSearch ? placeholder || label : placeholder}
        list={list}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}

/** A filter with few values; the first option means all. */
export const SelectFilter = ({
  label,
  value,
  onChange,
  options,
  all = 'All',
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  options: readonly (string | { value: string; label: string })[]
  all?: string
}) => {
  const offered = options.map((option) =>
    typeof option === 'string' ? { value: option, label: formatName(option) } : option,
  )
  // A saved view may filter by what is not offered any more: it still leaves rows out.
  const isOffered = value === undefined || offered.some((option) => option.value === value)
  const note = offered.length === 0 ? '' : ' (not offered)' // none while they are read
  const former = isOffered ? [] : [{ value, label: `${value}${note}` }]
  return (
    <label className={classNames(styles.chip, styles.select)} data-active={value !== undefined}>
      <span>{label}</span>
      <Select
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        options={[{ value: '', label: all }, ...offered, ...former]}
      />
    </label>
  )
}
