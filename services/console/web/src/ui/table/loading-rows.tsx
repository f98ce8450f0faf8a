import { Skeleton } from '../message/skeleton.tsx'
import styles from './table.module.css'

const loadingRowCount = 6

/** The outline of a table whose rows are being loaded. @param props.columns number of columns */
export function LoadingRows({ label, columns }: { label: string; columns: number }) {
  return (
    <div className={styles.wrap} role="status" aria-label={`Loading: ${label}`}>
      <table className={styles.table} aria-hidden="true">
        <tbody>
          {Array.from({ length: loadingRowCount }, (_, row) => (
            <tr key={`row-${row + 1}`}>
              {Array.from({ length: columns }, (_, column) => (
                <td key={`cell-${column + 1}`} data-label="">
                  <Skeleton width={`${50 + ((row * 7 + column * 13) % 40)}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
