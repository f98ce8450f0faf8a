import type { VersionChange } from '@wp/contracts'
import type { ReactNode } from 'react'
import { formatCount } from '../../ui/format/format.ts'
import { Badge, Id, Time } from '../../ui/values/values.tsx'
import styles from './agents.module.css'

export interface VersionRow {
  version: number
  name: string
  changes: VersionChange[]
  created_at: string
  created_by: string | null
}

/** Versions with their differences, newest first. */
export const VersionList = ({
  versions,
  current,
  action,
}: {
  versions: readonly VersionRow[]
  current: number | undefined
  /** Shown beside each version but the current one. */
  action?: (version: number) => ReactNode
}) => (
  <ol className={styles.versions} aria-label="Versions">
    {versions.map(({ version, name, changes, created_at, created_by }) => (
      <li key={version} className={styles.version}>
        <div className={styles.versionHead}>
          <h3>Version {version}</h3>
          {version === current && <Badge tone="accent">current</Badge>}
          <span className="muted">
            <Time value={created_at} />
          </span>
          {created_by !== null && (
            <span className="muted">
              by <Id value={created_by} />
            </span>
          )}
          {version !== current && action?.(version)}
        </div>
        {changes.length === 0 ? (
          <p className="muted">{version === 1 ? `Created as ${name}` : 'No differences'}</p>
        ) : (
          <details open={version === current}>
            <summary>
              {formatCount(changes.length, 'change')}:{' '}
              {changes.map(({ field }) => field.replaceAll('_', ' ')).join(', ')}
            </summary>
            <Changes changes={changes} />
          </details>
        )}
      </li>
    ))}
  </ol>
)

const Changes = ({ changes }: { changes: readonly VersionChange[] }) => (
  <div className="stack-3">
    {changes.map(({ field, from, to }) => (
      <div key={field} className="stack-1">
        <code>{field}</code>
        <div className={styles.from}>
          <span className="visually-hidden">Before: </span>
          {showValue(from)}
        </div>
        <div className={styles.to}>
          <span className="visually-hidden">After: </span>
          {showValue(to)}
        </div>
      </div>
    ))}
  </div>
)

function showValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}
