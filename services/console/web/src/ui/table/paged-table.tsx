import type { UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { RowData } from '@tanstack/react-table'
import { formatName } from '../format/format.ts'
import { type Column, DataTable, type DataTableProps } from './data-table.tsx'
import { Pager } from './pager.tsx'

/** One page of a list, as the API returns it. */
export interface ListPage<Row> {
  items: Row[]
  nextCursor: string | null
  /** Number of rows of the whole list, where it is known. */
  total?: number
}

/**
 * A table of the page of a list that `cursor` in the address names, with links to the pages before and after. A list of
 * one page can be sorted.
 */
export function PagedTable<Row extends RowData>({
  page: { data, error, refetch },
  noun,
  label = formatName(noun),
  columns,
  ...table
}: Omit<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'footer' | 'label'> & {
  page: Pick<UseQueryResult, 'error' | 'refetch'> & { data: ListPage<Row> | undefined }
  /** Plural noun of the rows. */
  noun: string
  /** Accessible name of the table, if it is not the noun. */
  label?: string
}) {
  const { cursor } = useSearch({ strict: false })
  return (
    <DataTable
      {...table}
      label={label}
      columns={cursor === undefined && !data?.nextCursor ? columns : withoutSort(columns)}
      rows={data?.items}
      error={error}
      onRetry={() => void refetch()}
      footer={data && <Pager nextCursor={data.nextCursor} shown={data.items.length} noun={noun} total={data.total} />}
    />
  )
}

const withoutSort = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map(({ sortBy: _sortBy, ...column }) => column)
