import type { ReactNode } from 'react'
import { classNames } from '../button/class-names.ts'
import styles from './badge.module.css'

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
  degraded: 'warning',
  denied: 'warning',
  awaiting_approval: 'warning',
  past_due: 'warning',
  failed: 'danger',
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
      {status.replaceAll('_', ' ')}
    </span>
  )
}
