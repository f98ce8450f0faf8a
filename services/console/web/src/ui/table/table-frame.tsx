import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button/button.tsx'
import { formatNumber } from '../format/format.ts'
import { Skeleton } from '../message/message.tsx'
import styles from './table.module.css'

/** Lets a table scroll sideways only where it is too wide, because its headings cannot stay in view where it does. */
export function ScrollArea({ children }: { children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      element.toggleAttribute('data-wide', element.scrollWidth > element.clientWidth + 1)
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={area} className={styles.wrap}>
      {children}
    </div>
  )
}

/** Tells how many rows of a long list are shown, with a button that shows more. */
export const MoreRows = ({ shown, total, onMore }: { shown: number; total: number; onMore: () => void }) => (
  <div className={styles.pager}>
    <span>
      {formatNumber(shown)} of {formatNumber(total)}
    </span>
    <Button size="small" onClick={onMore}>
      Show more
    </Button>
  </div>
)

const loadingRowCount = 6

/** The outline of a table whose rows are being loaded. @param props.columns number of columns */
export function LoadingRows({ label, columns }: { label: string; columns: number }) {
  return (
    <div className={styles.wrap} role="status" aria-label={`Loading: ${label}`}>
      <table className={styles.table} aria-hidden="true">
        <thead>
          <tr>
            {Array.from({ length: columns }, (_, column) => (
              <th key={`head-${column + 1}`}>
                <Skeleton width="4rem" height="0.75rem" />
              </th>
            ))}
          </tr>
        </thead>
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
