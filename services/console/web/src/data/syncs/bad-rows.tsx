import { CopyButton } from '../../ui/button/button.tsx'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import styles from '../shared/data.module.css'
import type { BadRow } from '../shared/queries.ts'

/**
 * Rejected rows of a file, sync or upload.
 * @param total how many were rejected; the API lists the first 100
 * @param titleEnd continues the title after the number of rows
 */
export function BadRows({
  rows,
  total,
  titleEnd = 'rejected',
}: {
  rows: readonly BadRow[]
  total: number
  titleEnd?: string
}) {
  if (rows.length === 0) return null
  const hasParts = rows.some(({ part }) => part !== undefined)
  const hasValues = rows.some(({ column }) => column !== undefined)
  const text = rows
    .map(({ line, column, value, reason, part }) => [line, column, value, reason, part].filter(Boolean).join('\t'))
    .join('\n')
  return (
    <div className="stack-2">
      <div className={styles.badRowsHead}>
        <strong>
          {formatCount(total, 'row')} {titleEnd}
        </strong>
        {total > rows.length && <span>The first {formatNumber(rows.length)} are listed.</span>}
        <CopyButton value={text} label="Copy the list" withText />
      </div>
      <section className={styles.badRowsTable} tabIndex={0} aria-label="Rejected rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Line</th>
              {hasValues && <th scope="col">Column</th>}
              {hasValues && <th scope="col">Value</th>}
              <th scope="col">Reason</th>
              {hasParts && <th scope="col">Part</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, column, value, reason, part }) => (
              <tr key={`${part ?? ''} ${line} ${column ?? ''} ${reason}`}>
                <td>{formatNumber(line)}</td>
                {hasValues && <td>{column}</td>}
                {hasValues && <td>{value}</td>}
                <td>{reason.replace(`column "${column}": "${value}" `, '')}</td>
                {hasParts && <td>{part}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
