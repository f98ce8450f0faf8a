import type { ReactNode } from 'react'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import styles from './home.module.css'

/** The frame of a list on the home page: loading, error, nothing yet, or rows. */
export function ListCard({
  title,
  all,
  query,
  none,
  children,
}: {
  title: string
  all: ReactNode
  query: {
    error: unknown
    isEnabled: boolean
    refetch: () => unknown
    data?: { items: readonly unknown[] } | undefined
  }
  none: string
  children: ReactNode
}) {
  if (!query.isEnabled) return null
  return (
    <Card title={title} actions={all} isFlush>
      {query.error !== null ? (
        <div className={styles.none}>
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : query.data === undefined ? (
        <div className={styles.none}>
          <Skeleton height="8rem" />
        </div>
      ) : query.data.items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <div className={styles.rows}>{children}</div>
      )}
    </Card>
  )
}
