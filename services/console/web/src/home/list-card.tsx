import type { ReactNode } from 'react'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './checklist.module.css'

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
  query: { isLoading: boolean; error: unknown; isEnabled: boolean; data?: { items: readonly unknown[] } | undefined }
  none: string
  children: ReactNode
}) {
  if (!query.isEnabled) return null
  return (
    <Card title={title} actions={all} isFlush>
      {query.isLoading && (
        <div className={styles.meters}>
          <Skeleton width="70%" />
          <Skeleton width="50%" />
          <Skeleton width="60%" />
        </div>
      )}
      {query.error !== null && (
        <div className={styles.none}>
          <ErrorMessage error={query.error} />
        </div>
      )}
      {query.data?.items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <div className={styles.rows}>{children}</div>
      )}
    </Card>
  )
}
