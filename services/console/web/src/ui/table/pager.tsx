import { useLocation, useSearch } from '@tanstack/react-router'
import buttonStyles from '../button/button.module.css'
import { classNames } from '../button/button.tsx'
import { Link } from '../button/button-link.tsx'
import { formatCount, formatNumber } from '../format/format.ts'
import styles from './table.module.css'

const linkClass = classNames(buttonStyles.button, buttonStyles.small)

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Pages of a list before this one, with their cursors and numbers of rows; an empty cursor is the first page. */
    pagesBefore?: readonly { cursor: string; rows: number }[]
  }
}

/** Rows from which on a complete list states their number. */
const minCounted = 10

/**
 * Moves through the pages of a list by the search parameter `cursor` of the page, so that every page has an address.
 * The history of the browser keeps the pages before, for the way back and to number the rows; a page that was opened by
 * its address leads back to the first.
 *
 * @param props.total number of rows of the whole list, where the API tells it
 */
export function Pager({
  nextCursor,
  shown,
  noun,
  total,
}: {
  nextCursor: string | null
  shown: number
  noun: string
  total?: number | undefined
}) {
  const { cursor } = useSearch({ strict: false })
  const known = useLocation({ select: ({ state }) => state.pagesBefore })
  if (cursor === undefined && nextCursor === null)
    return shown < minCounted ? null : <p className={styles.pager}>{formatCount(shown, noun, noun)}</p>
  const before = cursor === undefined ? [] : known
  const withCursor = (value: string | undefined) => (previous: Record<string, unknown>) => ({
    ...previous,
    cursor: value || undefined,
  })
  const step = (value: string | undefined, pagesBefore: typeof known, label: string) => (
    // The parameters are those of the page that shows the list.
    <Link
      to="."
      search={withCursor(value) as never}
      state={pagesBefore === undefined ? {} : { pagesBefore }}
      className={linkClass}
    >
      {label}
    </Link>
  )
  const rowsBefore = before?.reduce((sum, { rows }) => sum + rows, 0)
  return (
    <nav className={styles.pager} aria-label={`Pages of ${noun}`}>
      <span>{describeRows({ rowsBefore, shown, noun, total, isLast: nextCursor === null })}</span>
      <span className="row-2">
        {cursor === undefined ? (
          <Unavailable label="Previous" />
        ) : (
          step(before?.at(-1)?.cursor, before?.slice(0, -1), before === undefined ? 'First page' : 'Previous')
        )}
        {nextCursor === null ? (
          <Unavailable label="Next" />
        ) : (
          step(nextCursor, before && [...before, { cursor: cursor ?? '', rows: shown }], 'Next')
        )}
      </span>
    </nav>
  )
}

/** Says which rows of a list a page shows, and of how many: `26–50 of more than 50 records`. */
export function describeRows({
  rowsBefore,
  shown,
  noun,
  total,
  isLast,
}: {
  /** Undefined on a page that was opened by its address. */
  rowsBefore: number | undefined
  shown: number
  noun: string
  total?: number | undefined
  isLast: boolean
}): string {
  if (rowsBefore === undefined)
    return total === undefined ? `${shown} ${noun}` : `${shown} of ${formatCount(total, noun, noun)}`
  const last = rowsBefore + shown
  const rows = shown === 0 ? 'None' : `${formatNumber(rowsBefore + 1)}–${formatNumber(last)}`
  if (total !== undefined || isLast) return `${rows} of ${formatCount(total ?? last, noun, noun)}`
  return `${rows} of more than ${formatCount(last, noun, noun)}`
}

const Unavailable = ({ label }: { label: string }) => (
  <button type="button" className={linkClass} disabled>
    {label}
  </button>
)
