import { getRouteApi } from '@tanstack/react-router'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { PagedTable } from '../../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../../ui/values/values.tsx'
import styles from '../shared/webhooks.module.css'
import { contentOf, type DestinationView, placeOf, stateOf } from './destination-words.ts'

const route = getRouteApi('/$workspaceId/webhooks/destinations')

const columns: readonly Column<DestinationView>[] = [
  {
    header: 'Destination',
    cell: ({ name, config }) => (
      <span className={styles.named}>
        <span className={styles.name}>{name}</span>
        <span className={styles.polled}>{placeOf(config)}</span>
      </span>
    ),
  },
  { header: 'Content', cell: contentOf },
  { header: 'Status', cell: (row) => <StatusBadge status={stateOf(row)} /> },
  { header: 'Last written', cell: ({ health }) => <Time value={health.last_success_at} /> },
  { header: 'Waiting', cell: ({ health }) => formatNumber(health.lag), align: 'end' },
  { header: 'Next attempt', cell: ({ health }) => <Time value={health.next_attempt_at} /> },
]

/** The event destinations of the workspace. */
export function DestinationsPage() {
  const search = route.useSearch()
  const { content, status, search: text } = search
  const page = useApiQuery(['webhooks', 'destinations', search], (api, options) =>
    api.webhooks.listDestinations({ query: search }, options),
  )
  const isFiltered = content !== undefined || status !== undefined || text !== undefined
  return (
    <ListPage
      title="Webhooks"
      area="Webhooks"
      description="Events or the audit log, written where your company keeps its logs: in order, and each record at least once."
      actions={<AddDestination />}
      filters={[
        { name: 'search', label: 'Search', placeholder: 'Part of the name', isSearch: true },
        {
          name: 'content',
          label: 'Content',
          options: ['events', { value: 'audit', label: 'Audit log' }],
        },
        { name: 'status', label: 'Status', options: ['active', 'disabled'] },
      ]}
    >
      <PagedTable
        columns={columns}
        page={page}
        noun="event destinations"
        rowKey={({ destination_id }) => destination_id}
        rowLink={({ destination_id }) => ({
          to: '/$workspaceId/webhooks/destinations/$destinationId',
          params: { destinationId: destination_id },
        })}
        empty={
          isFiltered ? (
            <EmptyState icon="filter" title="No event destination matches the filters" />
          ) : (
            <EmptyState icon="webhooks" title="No event destinations yet" actions={<AddDestination />}>
              An event destination writes every event, or the audit log, to a bucket, a broker or a log system of your
              company. If it cannot be reached, records wait and none is lost.
            </EmptyState>
          )
        }
      />
    </ListPage>
  )
}

const AddDestination = () => (
  <ScopedButton scope="webhooks:write" icon="plus" variant="primary" to="/$workspaceId/webhooks/destinations/new">
    Add destination
  </ScopedButton>
)
