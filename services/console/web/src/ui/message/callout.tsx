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
