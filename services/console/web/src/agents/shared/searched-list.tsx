import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { FilterBar, TextFilter } from '../../ui/filter/filter-bar.tsx'
import { EmptyState } from '../../ui/message/message.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'

/**
 * A tab of the assistants with one list that is searched by name.
 * @param props.empty stands in place of the list if there is none without a search
 */
export const SearchedList = <Row extends RowData>({
  description,
  actions,
  search,
  onSearch,
  empty,
  children,
  ...table
}: Omit<ComponentProps<typeof PagedTable<Row>>, 'label'> & {
  description: string
  actions: ReactNode
  search: string | undefined
  onSearch: (text: string | undefined) => void
  children?: ReactNode
}) => (
  <Page title="Assistants" description={description} actions={actions}>
    <AreaTabs area="Assistants" />
    <Card isFlush>
      <FilterBar>
        <TextFilter label={`Search ${table.noun}`} isSearch value={search} onChange={onSearch} />
      </FilterBar>
      <PagedTable<Row>
        {...table}
        label={table.noun.charAt(0).toUpperCase() + table.noun.slice(1)}
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
    </Card>
    {children}
  </Page>
)
