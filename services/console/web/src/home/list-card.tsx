import type { ReactNode } from 'react'
import { ErrorMessage } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import styles from './checklist.module.css'

/** The frame of a list on the home page: error, nothing yet, or rows. */
export function ListCard({
  title,
  all,
  query,
  none,
  children,
}: {
  title: string
  all: ReactNode
  query: { error: unknown; isEnabled: boolean; data?: { items: readonly unknown[] } | undefined }
  none: string
  children: ReactNode
}) {
  if (!query.isEnabled) return null
  return (
    <Card title={title} actions={all} isFlush>
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
