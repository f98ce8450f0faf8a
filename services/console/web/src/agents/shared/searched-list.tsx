import { useSearch } from '@tanstack/react-router'
import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { ListPage } from '../../shell/list-page.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'

/**
 * A tab of the assistants with one list that is searched by name.
 * @param props.empty stands in place of the list if there is none without a search
 */
export function SearchedList<Row extends RowData>({
  description,
  actions,
  empty,
  children,
  ...table
}: Omit<ComponentProps<typeof PagedTable<Row>>, 'label'> & {
  description: string
  actions: ReactNode
  children?: ReactNode
}) {
  const { search } = useSearch({ strict: false })
  return (
    <ListPage
      title="Assistants"
      area="Assistants"
      description={description}
      actions={actions}
      filters={[{ name: 'search', label: `Search ${table.noun}`, isSearch: true }]}
      after={children}
    >
      <PagedTable<Row>
        {...table}
        empty={
          search === undefined ? (
            empty
          ) : (
            <EmptyState icon="filter" title={`None of the ${table.noun} has this name`}>
              Change or clear the search.
            </EmptyState>
          )
        }
      />
    </ListPage>
  )
}
