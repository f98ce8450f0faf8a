import { useCallback } from 'react'
import { fromLocalInput, toLocalInput } from '../format/local-time.ts'
import { TextFilter } from './filter-bar.tsx'

/**
 * A filter by time: entered in the zone of the reader, reported as RFC 3339 in UTC, so that an address can be shared.
 */
export function TimeFilter({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const change = useCallback((text: string | undefined) => onChange(fromLocalInput(text)), [onChange])
  return <TextFilter label={label} type="datetime-local" value={toLocalInput(value)} onChange={change} />
}
