import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { CopyButton, classNames, Icon } from '../button/button.tsx'
import { formatDate, formatDateTime, formatInFull, formatRelative } from '../format/format-time.ts'
import { useReader } from '../format/reader.ts'
import { toSafeUrl } from '../format/untrusted-text.ts'
import styles from './values.module.css'

/** Names and values. Entries that are false, null or undefined are left out. */
export function DefinitionList({
  items,
}: {
  items: readonly (readonly [name: string, value: ReactNode] | false | null | undefined)[]
}) {
  return (
    <dl className={styles.list}>
      {items.map(
        (item) =>
          item && (
            <Fragment key={item[0]}>
              <dt>{item[0]}</dt>
              <dd>{item[1] ?? '–'}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

/** Figures beside each other. */
export const Stats = ({ children }: { children: ReactNode }) => <div className={styles.stats}>{children}</div>

/** One figure with its name and, if it helps, what it is compared with. */
export const Stat = ({ label, value, note }: { label: ReactNode; value: ReactNode; note?: ReactNode }) => (
  <div className={styles.stat}>
    <div className="muted size-table">{label}</div>
    <div className={styles.statValue}>{value}</div>
    {note && <div className="secondary size-table">{note}</div>}
  </div>
)

/** An id or another value of the machine, with a button that copies it. `isCompact` cuts it, for tables. */
export const Id = ({
  value,
  label = 'Copy id',
  isCompact = false,
}: {
  value: string
  label?: string
  isCompact?: boolean
}) => (
  <span className={classNames(styles.id, isCompact && styles.compact)}>
    <code className="ellipsis" title={value}>
      {value}
    </code>
    <CopyButton value={value} label={label} />
  </span>
)

/** A link to an address from data, opened in a new tab. An address of another scheme is text. */
export function SafeLink({ address, children = address }: { address: string; children?: ReactNode }) {
  const url = toSafeUrl(address)
  if (url === undefined) return <span>{children}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children} <Icon name="external" size={13} style={{ verticalAlign: '-0.125rem' }} />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'running'

/** A short label. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>{children}</span>
}

/** Tones of the status words of the API; an unknown word is neutral, because enums are open. */
const toneOfStatus: Readonly<Record<string, Tone>> = {
  active: 'success',
  connected: 'success',
  delivered: 'success',
  finished: 'success',
  paid: 'success',
  ok: 'success',
  success: 'success',
  accepted: 'success',
  pending: 'running',
  queued: 'running',
  running: 'running',
  draft: 'neutral',
  open: 'accent',
  new: 'accent',
  paused: 'warning',
  retrying: 'warning',
  degraded: 'warning',
  denied: 'warning',
  awaiting_approval: 'warning',
  past_due: 'warning',
  failed: 'danger',
  failing: 'danger',
  unreliable: 'warning',
  idle: 'neutral',
  failure: 'danger',
  error: 'danger',
  disconnected: 'danger',
  unavailable: 'danger',
}

/** The status of a resource, with a dot in its tone; underscores are shown as spaces. */
export function StatusBadge({ status }: { status: string }) {
  const tone = toneOfStatus[status] ?? 'neutral'
  return (
    <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.word}>{status.replaceAll('_', ' ')}</span>
    </span>
  )
}

const refreshMs = 30_000
const maxRelativeMs = 7 * 86_400_000

/** A time after its words, or what is said if there is none: `last failure 3 minutes ago`. */
export const TimeNote = ({ label, value, none }: { label: string; value: string | null; none: string }) =>
  value === null ? (
    none
  ) : (
    <>
      {label} <Time value={value} />
    </>
  )

/**
 * A time as the reader writes it, in the zone of the reader: by default its distance, or the date if it is more than a
 * week away; or date and time (`absolute`). While it is hovered its title has the time in full
 * and in UTC.
 */
export function Time({
  value,
  format = 'relative',
}: {
  value: string | null | undefined
  format?: 'relative' | 'date' | 'absolute'
}) {
  const reader = useReader()
  const [now, setNow] = useState(() => Date.now())
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    if (format !== 'relative') return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), refreshMs)
    return () => clearInterval(timer)
  }, [format, value])
  if (!value) return <span>–</span>
  const at = new Date(value)
  const isNear = format === 'relative' && Math.abs(at.getTime() - now) < maxRelativeMs
  const formatted = format === 'relative' || format === 'date' ? formatDate : formatDateTime
  return (
    // The first format of Intl takes some 50 ms: a page with distances alone does without.
    <time
      className={styles.time}
      dateTime={value}
      title={title}
      onPointerEnter={() => setTitle(formatInFull(at, reader))}
    >
      {isNear ? formatRelative(at.getTime(), now) : formatted(at, reader)}
    </time>
  )
}

/** A key of the keyboard. */
export const Kbd = ({ children }: { children: string }) => <kbd className={styles.kbd}>{children}</kbd>
