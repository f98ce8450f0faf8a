import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { buttonClass } from '../button/button.tsx'
import { Link } from '../button/button-link.tsx'
import { Dialog } from '../dialog/dialog.tsx'

/**
 * A look at one row of a table without leaving it, on the right side. Open while there is a row.
 *
 * @param props.page the page of the row, which the drawer leads to
 */
export function RowDrawer<Row>({
  row,
  onClose,
  title,
  description,
  page,
  pageLabel = 'Open the page',
  children,
}: {
  row: Row | undefined
  onClose: () => void
  title: (row: Row) => string
  description?: (row: Row) => ReactNode
  page?: (row: Row) => LinkProps
  pageLabel?: string
  children: (row: Row) => ReactNode
}) {
  // While it closes it shows what it showed.
  const last = useRef(row)
  if (row !== undefined) last.current = row
  const shown = last.current
  if (shown === undefined) return null
  return (
    <Dialog
      isOpen={row !== undefined}
      onClose={onClose}
      size="drawer"
      title={title(shown)}
      {...(description && { description: description(shown) })}
      footer={
        page && (
          <Link {...page(shown)} className={buttonClass({})}>
            {pageLabel}
          </Link>
        )
      }
    >
      {children(shown)}
    </Dialog>
  )
}
