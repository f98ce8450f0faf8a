import { Link, useLocation } from '@tanstack/react-router'
import buttonStyles from '../button/button.module.css'
import { classNames } from '../button/button.tsx'
import { formatCount } from '../format/format.ts'
import styles from './table.module.css'

const linkClass = classNames(buttonStyles.button, buttonStyles.small)

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the pages of a list before this one; an empty text is the first page. */
    cursors?: readonly string[]
  }
}

/** Rows from which on a complete list states their number. */
const minCounted = 10

/**
 * Moves through the pages of a list by the search parameter `cursor` of the page, so that every page has an address.
 * The history of the browser keeps the cursors of the pages before, for the way back; a page that was opened by its
 * address leads back to the first.
 *
 * @param props.total number of rows of the whole list, where the API tells it
 */
export function Pager({
  cursor,
  nextCursor,
  shown,
  noun,
  total,
}: {
  cursor: string | undefined
  nextCursor: string | null
  shown: number
  noun: string
  total?: number | undefined
}) {
  const cursors = useLocation({ select: ({ state }) => state.cursors })
  if (cursor === undefined && nextCursor === null)
    return shown < minCounted ? null : <p className={styles.pager}>{formatCount(shown, noun, noun)}</p>
  const before = cursor === undefined ? [] : (cursors ?? [''])
  const page = cursor === undefined || cursors !== undefined ? before.length + 1 : undefined
  const withCursor = (value: string | undefined) => (previous: Record<string, unknown>) => ({
    ...previous,
    cursor: value || undefined,
  })
  const step = (value: string | undefined, trail: readonly string[], label: string) => (
    // The parameters are those of the page that shows the list.
    <Link to="." search={withCursor(value) as never} state={{ cursors: trail }} className={linkClass}>
      {label}
    </Link>
  )
  return (
    <nav className={styles.pager} aria-label={`Pages of ${noun}`}>
      <span>
        {page !== undefined && `Page ${page}: `}
        {total === undefined ? `${shown} ${noun}` : `${shown} of ${formatCount(total, noun, noun)}`}
      </span>
      <span className={styles.pagerButtons}>
        {cursor === undefined ? (
          <Unavailable label="Previous" />
        ) : (
          step(before.at(-1), before.slice(0, -1), cursors === undefined ? 'First page' : 'Previous')
        )}
        {nextCursor === null ? <Unavailable label="Next" /> : step(nextCursor, [...before, cursor ?? ''], 'Next')}
      </span>
    </nav>
  )
}

const Unavailable = ({ label }: { label: string }) => (
  <button type="button" className={linkClass} disabled>
    {label}
  </button>
)
