import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { type Column, DataTable, type DataTableProps } from './data-table.tsx'
import { Pager } from './pager.tsx'

/** One page of a list, as the API returns it. */
export interface ListPage<Row> {
  items: Row[]
  nextCursor: string | null
  /** Number of rows of the whole list, where it is known. */
  total?: number
}

/** A table of one page of a list, with links to the pages before and after. A list of one page can be sorted. */
export const PagedTable = <Row extends RowData>({
  page: { data, error, refetch },
  cursor,
  noun,
  columns,
  ...table
}: Omit<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'footer'> & {
  page: Pick<UseQueryResult, 'error' | 'refetch'> & { data: ListPage<Row> | undefined }
  cursor: string | undefined
  /** Plural noun of the rows. */
  noun: string
}) => (
  <DataTable
    {...table}
    columns={cursor === undefined && !data?.nextCursor ? columns : withoutSort(columns)}
    rows={data?.items}
    error={error}
    onRetry={() => void refetch()}
    footer={
      data && (
        <Pager cursor={cursor} nextCursor={data.nextCursor} shown={data.items.length} noun={noun} total={data.total} />
      )
    }
  />
)

const withoutSort = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map(({ sortBy: _sortBy, ...column }) => column)
