import type { LinkProps } from '@tanstack/react-router'
import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo, useState } from 'react'
import { classNames } from '../button/button.tsx'
import { ErrorMessage } from '../message/message.tsx'
import { SelectAll, SelectedRowsBar, type Selection, SelectRow } from './row-selection.tsx'
import { type Sort, type SortValue, sortRows } from './sort-rows.ts'
import styles from './table.module.css'
import { clamp, FirstCell, HeaderCell } from './table-cells.tsx'
import { LoadingRows, MoreRows, ScrollArea } from './table-frame.tsx'

const features = tableFeatures({})

/** A column of a table. */
export interface Column<Row> {
  /** Heading; an empty one belongs to buttons. Unique in the table. */
  header: string
  cell: (row: Row) => ReactNode
  /** `end` for figures, which get equal widths. */
  align?: 'start' | 'end'
  /** The column is as narrow as its content. */
  isNarrow?: boolean
  /** Lets the person sort by the column. Only for lists that are complete: it sorts the rows that are there. */
  sortBy?: (row: Row) => SortValue
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Page of a row; its first cell becomes the link, which covers the row. */
  rowLink?: (row: Row) => LinkProps
  /** Opens a drawer with a row; then the whole row does, and the first cell alone is the link to the page. */
  onPreview?: (row: Row) => void
  /** Text of a row for the label of its check box and of its preview. */
  rowName?: (row: Row) => string
  selection?: Selection
  error?: unknown
  onRetry?: () => void
  /** Shown instead of a table without rows. */
  empty: ReactNode
  footer?: ReactNode
}

const noRows: readonly never[] = []

/** A longer list shows its first rows, and more on request: the page stays quick, and its end can be reached. */
const maxRowsAtOnce = 75
const rowStep = 50

/** A table of resources. On narrow screens every row becomes a block of labelled values. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, rowLink, onPreview, selection, error, onRetry, empty, footer, label } = props
  const nameOf = (row: Row) => props.rowName?.(row) ?? rowKey(row)
  const [sort, setSort] = useState<Sort>()
  const [shownCount, setShownCount] = useState(rowStep)
  const columnDefs = useMemo(
    () =>
      columns.map(
        ({ header, cell }): ColumnDef<typeof features, Row> => ({
          id: header || 'actions',
          header,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  )
  const byId = new Map(columns.map((column) => [column.header || 'actions', column]))
  const sortValueOf = sort && byId.get(sort.column)?.sortBy
  const sorted = sortValueOf && rows ? sortRows(rows, sortValueOf, sort.isDescending) : rows
  const visible = sorted && sorted.length > maxRowsAtOnce ? sorted.slice(0, shownCount) : sorted
  const table = useTable({ features, columns: columnDefs, data: visible ?? noRows, getRowId: rowKey })
  if (error)
    return (
      <div style={{ padding: 'var(--space-4)' }}>
        <ErrorMessage error={error} {...(onRetry && { onRetry })} />
      </div>
    )
  if (rows === undefined || visible === undefined) return <LoadingRows label={label} columns={columns.length} />
  if (rows.length === 0)
    return (
      <>
        {empty}
        {footer}
      </>
    )
  return (
    <>
      {selection && selection.keys.size > 0 && <SelectedRowsBar {...selection} />}
      <ScrollArea>
        <table className={styles.table} aria-label={label}>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {selection && (
                  <th className={styles.narrow}>
                    <SelectAll rowKeys={visible.map(rowKey)} selection={selection} />
                  </th>
                )}
                {group.headers.map(({ id }) => (
                  <HeaderCell
                    key={id}
                    header={byId.get(id)?.header ?? ''}
                    className={cellClass(byId.get(id))}
                    isSortable={byId.get(id)?.sortBy !== undefined}
                    sort={sort}
                    onSort={setSort}
                  />
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className={classNames(styles.row, (rowLink || onPreview) && styles.linked)}>
                {selection && <SelectRow selection={selection} rowKey={row.id} name={nameOf(row.original)} />}
                {row.getAllCells().map((cell, index) => {
                  const column = byId.get(cell.column.id)
                  const content = clamp(column?.cell(row.original))
                  return (
                    <td
                      key={cell.id}
                      data-label={column?.header ?? ''}
                      className={classNames(cellClass(column), index === 0 && styles.first)}
                    >
                      {index === 0 ? (
                        <FirstCell
                          content={content}
                          link={rowLink?.(row.original)}
                          name={nameOf(row.original)}
                          onPreview={onPreview && (() => onPreview(row.original))}
                        />
                      ) : (
                        content
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {visible.length < rows.length && (
        <MoreRows shown={visible.length} total={rows.length} onMore={() => setShownCount(shownCount + rowStep)} />
      )}
      {footer}
    </>
  )
}

const cellClass = <Row,>(column: Column<Row> | undefined) =>
  classNames(column?.align === 'end' && styles.end, column?.isNarrow && styles.narrow)
