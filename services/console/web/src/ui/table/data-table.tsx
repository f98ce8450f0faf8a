import { Link, type LinkProps } from '@tanstack/react-router'
import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { classNames } from '../button/button.tsx'
import { ErrorMessage, Skeleton } from '../message/message.tsx'
import { SelectAll, SelectedRowsBar, type Selection, SelectRow } from './row-selection.tsx'
import styles from './table.module.css'

const features = tableFeatures({})

/** A column of a table. */
export interface Column<Row> {
  /** Heading; an empty one belongs to buttons. Unique in the table. */
  header: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** The column is as narrow as its content. */
  isNarrow?: boolean
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Page of a row; its first cell becomes the link, which covers the row. */
  rowLink?: (row: Row) => LinkProps
  /** Text of a row for the label of its check box. */
  rowName?: (row: Row) => string
  selection?: Selection
  error?: unknown
  onRetry?: () => void
  /** Shown instead of a table without rows. */
  empty: ReactNode
  footer?: ReactNode
}

const noRows: readonly never[] = []

/** A table of resources. On narrow screens every row becomes a block of labelled values. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, selection, error, onRetry, empty, footer, label } = props
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
  const table = useTable({ features, columns: columnDefs, data: rows ?? noRows, getRowId: rowKey })
  if (error)
    return (
      <div style={{ padding: 'var(--space-4)' }}>
        <ErrorMessage error={error} {...(onRetry && { onRetry })} />
      </div>
    )
  if (rows === undefined) return <LoadingRows label={label} columns={columns.length} />
  if (rows.length === 0)
    return (
      <>
        {empty}
        {footer}
      </>
    )
  const byId = new Map(columns.map((column) => [column.header || 'actions', column]))
  return (
    <>
      {selection && selection.keys.size > 0 && <SelectedRowsBar {...selection} />}
      <div className={styles.wrap}>
        <table className={styles.table} aria-label={label}>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {selection && (
                  <th className={styles.narrow}>
                    <SelectAll rowKeys={rows.map(rowKey)} selection={selection} />
                  </th>
                )}
                {group.headers.map((header) => (
                  <th key={header.id} scope="col" className={cellClass(byId.get(header.id))}>
                    {byId.get(header.id)?.header || <span className="visually-hidden">Actions</span>}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className={classNames(styles.row, props.rowLink && styles.linked)}>
                {selection && (
                  <SelectRow selection={selection} rowKey={row.id} name={props.rowName?.(row.original) ?? row.id} />
                )}
                {row.getAllCells().map((cell, index) => {
                  const column = byId.get(cell.column.id)
                  const content = column?.cell(row.original)
                  return (
                    <td key={cell.id} data-label={column?.header ?? ''} className={cellClass(column)}>
                      {index === 0 && props.rowLink ? (
                        <Link {...props.rowLink(row.original)} className={styles.rowLink}>
                          {content}
                        </Link>
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
      </div>
      {footer}
    </>
  )
}

const cellClass = <Row,>(column: Column<Row> | undefined) =>
  classNames(column?.align === 'end' && styles.end, column?.isNarrow && styles.narrow)

const loadingRowCount = 6

/** The outline of a table whose rows are being loaded. @param props.columns number of columns */
function LoadingRows({ label, columns }: { label: string; columns: number }) {
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
