import type { ReactNode } from 'react'
import { Icon, type IconName } from '../button/icon.tsx'
import styles from './message.module.css'

/** The content of a page without data: its purpose, how to begin, and a snippet that can be run. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
  snippet,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
  snippet?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.emptyActions}>{actions}</div>}
      {snippet && <div className={styles.emptySnippet}>{snippet}</div>}
    </div>
  )
}
