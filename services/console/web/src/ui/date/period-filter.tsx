import { useState } from 'react'
import styles from '../filter/filter-bar.module.css'
import { SelectFilter } from '../filter/filter-bar.tsx'
import { DateTimeInput } from './date-input.tsx'

/** A range of time; a limit that is missing is open. */
export interface Period {
  since?: string | undefined
  until?: string | undefined
}

const hourMs = 3_600_000
const lengths = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
] as const
const custom = { value: 'custom', label: 'From … to …' }

/** A filter by time: a length that ends now, or two times. */
export function PeriodFilter({
  label = 'Time',
  since,
  until,
  onChange,
}: Period & { label?: string; onChange: (period: Period) => void }) {
  // The address has the times, so that a link shows the same rows; the length is known only here.
  const [chosen, setChosen] = useState<{ option: string; since?: string | undefined }>()
  const isOpen = since === undefined && until === undefined
  const isChosen = chosen !== undefined && chosen.since === since && until === undefined
  const option = isChosen ? chosen.option : isOpen ? undefined : custom.value
  const choose = (next: string | undefined) => {
    const hours = lengths.some(({ value }) => value === next) ? Number(next) : undefined
    const start = hours === undefined ? undefined : new Date(Date.now() - hours * hourMs).toISOString()
    const kept = next === custom.value ? since : start
    setChosen(next === undefined ? undefined : { option: next, since: kept })
    onChange({ since: kept, until: next === custom.value ? until : undefined })
  }
  return (
    <>
      <SelectFilter label={label} value={option} all="Any" options={[...lengths, custom]} onChange={choose} />
      {option === custom.value && (
        <>
          <span className={styles.time}>
            <span aria-hidden="true">From</span>
            <DateTimeInput
              aria-label="From"
              value={since}
              max={until}
              onChange={(next) => onChange({ since: next, until })}
            />
          </span>
          <span className={styles.time}>
            <span aria-hidden="true">To</span>
            <DateTimeInput
              aria-label="To"
              value={until}
              min={since}
              onChange={(next) => onChange({ since, until: next })}
            />
          </span>
        </>
      )}
    </>
  )
}
