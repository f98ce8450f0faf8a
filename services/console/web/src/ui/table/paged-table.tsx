import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { Pager } from './pager.tsx'

/** One page of a list, as the API returns it. */
export interface ListPage<Row> {
  items: Row[]
  nextCursor: string | null
}

/** A table of one page of a list, with links to the first and the next page. */
export const PagedTable = <Row extends RowData>({
  page: { data, error, refetch },
  cursor,
  noun,
  ...table
}: Omit<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'footer'> & {
  page: Pick<UseQueryResult<ListPage<Row>>, 'data' | 'error' | 'refetch'>
  cursor: string | undefined
  /** Plural noun of the rows. */
  noun: string
}) => (
  <DataTable
    {...table}
    rows={data?.items}
    error={error}
    onRetry={() => void refetch()}
    footer={data && <Pager cursor={cursor} nextCursor={data.nextCursor} shown={data.items.length} noun={noun} />}
  />
)
