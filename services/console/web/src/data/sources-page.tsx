import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApiQuery, useCan } from '../session/workspace-context.tsx'
import { ListPage } from '../shell/list-page.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { formatNumber } from '../ui/format/format.ts'
import { EmptyState } from '../ui/message/message.tsx'
import { describeSchedule } from '../ui/schedule/schedule-text.ts'
import type { Column } from '../ui/table/data-table.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import { EmbeddingCard } from './shared/embedding-card.tsx'
import type { Source } from './shared/queries.ts'
import { providerWords, sourceProviders, sourceStates, stateOf } from './shared/source-words.ts'

const route = getRouteApi('/$workspaceId/data')

const columns: readonly Column<Source>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'From', cell: ({ provider }) => providerWords[provider].label },
  { header: 'Status', cell: (source) => <StatusBadge status={stateOf(source)} /> },
  { header: 'Rows', align: 'end', cell: ({ record_count }) => formatNumber(record_count) },
  { header: 'Last read', cell: ({ last_synced_at }) => <Time value={last_synced_at} /> },
  { header: 'Schedule', cell: ({ provider, schedule }) => (provider === 'upload' ? '–' : describeSchedule(schedule)) },
]

/** The data sources of the workspace. */
export function SourcesPage() {
  const can = useCan()
  const search = route.useSearch()
  const { data, error, refetch } = useApiQuery(
    ['data', 'sources', search],
    (api, options) => api.data.listSources({ query: search }, options),
    { placeholderData: keepPreviousData },
  )
  const isFiltered = search.search !== undefined || search.provider !== undefined || search.status !== undefined
  return (
    <ListPage
      title="Data"
      description="Files and connected systems. Buildings, forecasts, search and assistants use their rows."
      actions={
        can('data:write') && (
          <ButtonLink icon="plus" variant="primary" to="/$workspaceId/data/new">
            Add data
          </ButtonLink>
        )
      }
      filters={
        (isFiltered || (data && data.items.length > 0)) && [
          { name: 'search', label: 'Search sources', placeholder: 'Part of the name', isSearch: true },
          {
            name: 'provider',
            label: 'From',
            options: sourceProviders.map((value) => ({ value, label: providerWords[value].label })),
          },
          { name: 'status', label: 'Status', options: sourceStates },
        ]
      }
      after={data && data.items.length > 0 && <EmbeddingCard />}
    >
      <PagedTable
        label="Data sources"
        columns={columns}
        page={{ data, error, refetch }}
        noun="sources"
        rowKey={({ data_source_id }) => data_source_id}
        rowLink={({ data_source_id: sourceId }) => ({
          to: '/$workspaceId/data/$sourceId',
          params: { sourceId },
        })}
        empty={isFiltered ? <NoMatch /> : <NoSources />}
      />
    </ListPage>
  )
}

const NoMatch = () => (
  <EmptyState icon="filter" title="No source matches">
    Change or clear the filters.
  </EmptyState>
)

function NoSources() {
  return (
    <EmptyState
      icon="data"
      title="No data yet"
      actions={
        <ButtonLink icon="upload" variant="primary" to="/$workspaceId/data/new">
          Upload a file
        </ButtonLink>
      }
    >
      Upload a file, or let the platform read an address, a database or a bucket on a schedule.
    </EmptyState>
  )
}
