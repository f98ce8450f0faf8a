import type { Citation } from '@wp/contracts'
import type { ReactNode } from 'react'
import { Link } from '../../ui/button/button-link.tsx'
import styles from './answer-text.module.css'

/** A link to the page of a record. @param label its accessible name and tooltip, where the content is no text */
export function RecordLink({
  recordId,
  className,
  label,
  children,
}: {
  recordId: string
  className?: string | undefined
  label?: string
  children: ReactNode
}) {
  return (
    <Link
      to="/$workspaceId/data/records/$recordId"
      params={{ recordId }}
      className={className ?? ''}
      {...(label !== undefined && { 'aria-label': label, title: label })}
    >
      {children}
    </Link>
  )
}

/** The records that an answer cites. Each opens its record. */
export function Citations({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null
  return (
    <div className="stack-2">
      <div className="muted small medium">Sources</div>
      <ul className={styles.sourceList}>
        {citations.map(({ index, record_id: recordId, title, key, snippet }) => (
          <li key={index}>
            <RecordLink recordId={recordId} className={styles.source}>
              <span className={styles.marker}>{index}</span>
              <span className={styles.sourceTitle}>{title ?? key}</span>
              {snippet && <span className={styles.snippet}>{snippet}</span>}
            </RecordLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
