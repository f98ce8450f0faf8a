import { classNames } from '../button/class-names.ts'
import { CopyButton } from '../button/copy-button.tsx'
import styles from './data.module.css'

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
