import { CopyButton } from './copy-button.tsx'
import styles from './data.module.css'

/** An id or another value of the machine, with a button that copies it. */
export const Id = ({ value, label = 'Copy id' }: { value: string; label?: string }) => (
  <span className={styles.id}>
    <code title={value}>{value}</code>
    <CopyButton value={value} label={label} />
  </span>
)
