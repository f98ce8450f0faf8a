import { Fragment, type ReactNode } from 'react'
import { CopyButton } from '../button/button.tsx'
import { classNames } from '../button/class-names.ts'
import { Icon } from '../button/icon.tsx'
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
export const Stat = ({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) => (
  <div className={styles.stat}>
    <div className={styles.statLabel}>{label}</div>
    <div className={styles.statValue}>{value}</div>
    {note && <div className={styles.statNote}>{note}</div>}
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
    <code title={value}>{value}</code>
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
