import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useApiQuery } from '../session/workspace-context.tsx'
import { ListFilters } from '../ui/filter/list-filters.tsx'
import { formatDuration, formatNumber } from '../ui/format/format.ts'
import { EmptyState } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import { isUnfinished, type Sync } from './shared/queries.ts'
import { syncStates } from './shared/source-words.ts'
import { SyncDrawer } from './syncs/sync-drawer.tsx'

const route = getRouteApi('/$workspaceId/data/$sourceId/syncs')
const runningPollMs = 2000

const triggers = { manual: 'Started by hand', upload: 'Upload', schedule: 'Schedule' }

const countColumn = (header: string, name: keyof Sync['counts']): Column<Sync> => ({
  header,
  align: 'end',
  cell: ({ counts }) => formatNumber(counts[name]),
})

const columns: readonly Column<Sync>[] = [
  { header: 'Started', cell: ({ created_at }) => <Time value={created_at} format="absolute" /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Trigger', cell: ({ trigger }) => triggers[trigger] },
  { header: 'Duration', align: 'end', cell: (sync) => durationOf(sync) },
  countColumn('Read', 'seen'),
  countColumn('New', 'created'),
  countColumn('Changed', 'updated'),
  countColumn('Deleted', 'deleted'),
  countColumn('Rejected', 'failed'),
]

function durationOf({ started_at, finished_at }: Sync): string {
  if (started_at === null || finished_at === null) return '–'
  return formatDuration(Date.parse(finished_at) - Date.parse(started_at))
}

/** The syncs of a source with their counts; one of them in a drawer, which has an address. */
export function SourceSyncsPage() {
  const { sourceId } = route.useParams()
  const { sync: syncId, ...search } = route.useSearch()
  const navigate = useNavigate()
  const { data, error, refetch } = useApiQuery(
    ['data', 'source', sourceId, 'syncs', search],
    (api, options) => api.data.listSyncs({ params: { data_source_id: sourceId }, query: search }, options),
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? runningPollMs : false),
    },
  )
  // The parameters of this page.
  const closeSync = () => void navigate({ to: '.', search: search as never, replace: true })
  return (
    <Card isFlush>
      {(search.status !== undefined || (data && data.items.length > 0)) && (
        <ListFilters filters={[{ name: 'status', label: 'Status', options: syncStates }]} />
      )}
      <PagedTable
        columns={columns}
        page={{ data, error, refetch }}
        noun="syncs"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({
          to: '/$workspaceId/data/$sourceId/syncs',
          params: { sourceId },
          search: { ...search, sync: id },
        })}
        empty={
          <EmptyState icon="refresh" title={search.status === undefined ? 'No syncs yet' : 'No sync matches'}>
            A sync reads the source; a large upload is listed as a sync too.
          </EmptyState>
        }
      />
      {syncId !== undefined && <SyncDrawer syncId={syncId} onClose={closeSync} />}
    </Card>
  )
}
