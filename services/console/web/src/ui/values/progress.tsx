import type { ReactNode } from 'react'
import styles from './values.module.css'

/** The progress of work, or the use of a quota. @param value share of 0 to 1 */
export function Progress({
  value,
  label,
  text,
  tone = 'accent',
}: {
  value: number
  label: string
  text?: ReactNode
  tone?: 'accent' | 'warning' | 'danger'
}) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, value)))
  return (
    <div className="stack-1">
      <div className={styles.progressText}>
        <span>{label}</span>
        <span>{text ?? `${percent} %`}</span>
      </div>
      <div
        className={styles.progressTrack}
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className={styles.progressBar} data-tone={tone} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
