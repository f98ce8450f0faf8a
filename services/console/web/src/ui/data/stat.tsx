import type { ReactNode } from 'react'
import styles from './data.module.css'

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
