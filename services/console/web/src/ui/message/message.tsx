import type { ReactNode } from 'react'
import { classNames } from '../button/class-names.ts'
import { Icon, type IconName } from '../button/icon.tsx'
import styles from './message.module.css'

const icons = { info: 'info', warning: 'warning', danger: 'warning', success: 'check' } satisfies Record<
  string,
  IconName
>

/** A message about the page or a part of it. */
export function Callout({
  tone = 'info',
  title,
  children,
}: {
  tone?: keyof typeof icons
  title?: string
  children?: ReactNode
}) {
  return (
    <div className={classNames(styles.message, styles[tone])}>
      <Icon name={icons[tone]} />
      <div className={styles.content}>
        {title && <div className={styles.title}>{title}</div>}
        {children}
      </div>
    </div>
  )
}

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
