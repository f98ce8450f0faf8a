import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Input, Select } from './controls.tsx'
import styles from './filter-bar.module.css'

/** The filters of a list, which are search parameters of its page. */
export const FilterBar = ({ children, onClear }: { children: ReactNode; onClear?: (() => void) | undefined }) => (
  <search className={styles.bar}>
    {children}
    {onClear && (
      <Button variant="quiet" onClick={onClear}>
        Clear filters
      </Button>
    )}
  </search>
)

const typingPauseMs = 300

/** A text filter. The change is reported when the person pauses, or leaves the field. */
export function TextFilter({
  label,
  value,
  onChange,
  placeholder,
  isSearch = false,
  type = 'text',
  list,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  placeholder?: string
  isSearch?: boolean
  type?: 'text' | 'datetime-local' | 'date'
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
    <label className={isSearch ? styles.search : undefined}>
      {label}
      <Input
        type={isSearch ? 'search' : type}
        value={text}
        placeholder={placeholder}
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
}) => (
  <label>
    {label}
    <Select
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      options={[
        { value: '', label: all },
        ...options.map((option) =>
          typeof option === 'string' ? { value: option, label: option.replaceAll('_', ' ') } : option,
        ),
      ]}
    />
  </label>
)
