import { useEffect, useState } from 'react'
import styles from './data.module.css'

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const short = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})

/** Returns the distance of a time in words: `3 minutes ago`, `in 2 hours`. */
export function formatRelative(at: number, now: number): string {
  const seconds = (at - now) / 1000
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  if (unit === 'second' && Math.abs(seconds) < 10) return seconds > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(seconds / size), unit)
}

const refreshMs = 30_000

/**
 * A time in the zone of the reader: relative by default, or as date and time. The title has date and time of the zone and
 * in UTC.
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
        ? short.format(at)
        : absolute.format(at)
  return (
    <time className={styles.time} dateTime={value} title={`${absolute.format(at)}\n${value} (UTC)`}>
      {text}
    </time>
  )
}
