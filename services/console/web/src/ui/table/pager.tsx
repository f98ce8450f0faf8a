import { Link } from '@tanstack/react-router'
import buttonStyles from '../button/button.module.css'
import { classNames } from '../button/button.tsx'
import styles from './table.module.css'

const buttonClass = classNames(buttonStyles.button, buttonStyles.small)

/**
 * Moves through the pages of a list by the search parameter `cursor` of the page, so that every page has an address.
 * The way back is that of the browser.
 */
export function Pager({
  cursor,
  nextCursor,
  shown,
  noun,
}: {
  cursor: string | undefined
  nextCursor: string | null
  shown: number
  noun: string
}) {
  if (cursor === undefined && nextCursor === null) return null
  const withCursor = (value: string | undefined) => (previous: Record<string, unknown>) => ({
    ...previous,
    cursor: value,
  })
  return (
    <nav className={styles.pager} aria-label={`Pages of ${noun}`}>
      <span>
        {shown} {noun} on this page
      </span>
      <span className={styles.pagerButtons}>
        {cursor !== undefined && (
          <Link to="." search={withCursor(undefined) as never} className={buttonClass}>
            First page
          </Link>
        )}
        {nextCursor !== null && (
          <Link to="." search={withCursor(nextCursor) as never} className={buttonClass}>
            Next page
          </Link>
        )}
      </span>
    </nav>
  )
}
