import styles from './audit.module.css'
import { describeChanges, formatValue } from './describe-changes.ts'

/** The changed fields of an audit record, with what is known of the values before and after. */
export function ChangeTable({ changes }: { changes: Readonly<Record<string, unknown>> | null }) {
  const rows = describeChanges(changes)
  if (rows.length === 0) return <p className="muted">The record names no changed fields.</p>
  const hasBefore = rows.some((row) => 'before' in row)
  return (
    <div className="scroll-x">
      <table className={styles.changes} aria-label="Changed fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {hasBefore && <th scope="col">Before</th>}
            <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.field}>
              <th scope="row">
                <code>{row.field}</code>
              </th>
              {hasBefore && <td data-kind="before">{'before' in row ? <pre>{formatValue(row.before)}</pre> : '–'}</td>}
              <td data-kind={hasBefore ? 'after' : undefined}>
                {'after' in row ? <pre>{formatValue(row.after)}</pre> : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
