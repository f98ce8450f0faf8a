import { useEffect, useState } from 'react'
import { formatAbsolute, formatRelative, formatShort } from '../format/format-time.ts'
import styles from './values.module.css'

const refreshMs = 30_000

/**
 * A time in the zone of the reader: relative by default, or as date and time. The title has date and time of the zone
 * and in UTC.
 */
export function Time({
  value,
  format = 'relative',
}: {
  value: string | null | undefined
  format?: 'relative' | 'absolute' | 'short'
}) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (format !== 'relative') return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), refreshMs)
    return () => clearInterval(timer)
  }, [format, value])
  if (!value) return <span>–</span>
  const at = new Date(value)
  const text =
    format === 'relative'
      ? formatRelative(at.getTime(), now)
      : format === 'short'
        ? formatShort(at)
        : formatAbsolute(at)
  return (
    <time className={styles.time} dateTime={value} title={`${formatAbsolute(at)}\n${value} (UTC)`}>
      {text}
    </time>
  )
}
