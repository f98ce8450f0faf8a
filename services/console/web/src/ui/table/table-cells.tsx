import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '../button/button.tsx'
import { Link } from '../button/button-link.tsx'
import { nextSort, type Sort } from './sort-rows.ts'
import styles from './table.module.css'

/** The heading of a column, which sorts the rows if the column can. @param props.header empty for buttons */
export function HeaderCell({
  header,
  className,
  isSortable,
  sort,
  onSort,
}: {
  header: string
  className: string
  isSortable: boolean
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
}) {
  if (!isSortable)
    return (
      <th scope="col" className={className} {...(header && { title: header })}>
        {header || <span className="visually-hidden">Actions</span>}
      </th>
    )
  const direction = sort?.column === header ? (sort.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" className={className} {...(direction && { 'aria-sort': direction })}>
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, header))}>
        {header}
        <span aria-hidden="true">{direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  )
}

/** A text of this length fits into two lines of the narrowest column. */
const maxUnclamped = 20

/** Content of a cell: a long text ends after two lines, and its title has all of it. */
export const clamp = (content: ReactNode): ReactNode =>
  typeof content === 'string' && content.length > maxUnclamped ? (
    <span className={styles.clamp} title={content}>
      {content}
    </span>
  ) : (
    content
  )

/** The first cell of a row has what covers the row: the link to its page, or the button that opens its drawer. */
export function FirstCell({
  content,
  link,
  name,
  onPreview,
}: {
  content: ReactNode
  link: LinkProps | undefined
  /** Names the row in the label of the button. */
  name: string
  onPreview: (() => void) | undefined
}) {
  const linked = link && (
    <Link {...link} className={classNames(styles.rowLink, !onPreview && styles.cover)}>
      {content}
    </Link>
  )
  if (!onPreview) return linked ?? content
  return (
    <>
      {linked ?? <span className={styles.rowLink}>{content}</span>}
      <button
        type="button"
        className={classNames(styles.preview, styles.cover)}
        aria-label={`Look at ${name}`}
        onClick={onPreview}
      />
    </>
  )
}
