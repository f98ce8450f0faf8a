import type { ComponentProps, ReactNode } from 'react'
import { type ListFilter, ListFilters } from '../ui/filter/list-filters.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { AreaTabs } from './area-tabs.tsx'

/**
 * A page with one list below its filters.
 * @param props.filters none for a list that has nothing to filter
 * @param props.after what follows the list
 */
export const ListPage = ({
  area,
  filters,
  children,
  after,
  ...page
}: ComponentProps<typeof Page> & {
  area?: ComponentProps<typeof AreaTabs>['area']
  filters: readonly ListFilter[] | false | undefined
  after?: ReactNode
}) => (
  <Page {...page}>
    {area && <AreaTabs area={area} />}
    <Card isFlush>
      {filters && <ListFilters filters={filters} />}
      {children}
    </Card>
    {after}
  </Page>
)
