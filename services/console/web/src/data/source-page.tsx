import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { formatNumber } from '../ui/format/format.ts'
import { PageTabs } from '../ui/menu/tabs.tsx'
import { Callout, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card, Page, Stack } from '../ui/page/page.tsx'
import { describeSchedule } from '../ui/schedule/schedule-text.ts'
import { Progress } from '../ui/values/progress.tsx'
import { Stat, Stats, StatusBadge, Time } from '../ui/values/values.tsx'
import { isUnfinished, latestSyncQuery, type Source, type Sync, sourceKey, sourceQuery } from './shared/queries.ts'
import { describeCounts, providerWords, stateOf } from './shared/source-words.ts'
import { SourceActions } from './source-actions.tsx'
import { SourceUse } from './source-use.tsx'
import { UploadList, useSourceUploads } from './uploads/upload-list.tsx'
import { isActive, type Upload } from './uploads/uploads.ts'

const route = getRouteApi('/$workspaceId/data/$sourceId')
const uploadPollMs = 1500

/** A source: its state, what is happening to it, and the tabs of its records, syncs and settings. */
export function SourcePage() {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const { sourceId } = route.useParams()
  const uploads = useSourceUploads(workspaceId, sourceId)
  const {
    data: source,
    error,
    refetch,
  } = useQuery({
    ...sourceQuery(api, workspaceId, sourceId),
    refetchInterval: uploads.some(isActive) && uploadPollMs,
  })
  const { data: sync } = useQuery(latestSyncQuery(api, workspaceId, sourceId))
  useRefreshAfterSync(workspaceId, sourceId, sync)
  const parent = { label: 'Data', link: { to: '/$workspaceId/data' } } as const
  if (error)
    return (
      <Page title="Data source" parent={parent}>
        <ErrorMessage error={error} onRetry={refetch} />
      </Page>
    )
  if (source === undefined)
    return (
      <Page title="Data source" parent={parent}>
        <Skeleton height="6rem" />
        <Skeleton height="16rem" />
      </Page>
    )
  const link = { params: { sourceId } }
  return (
    <Page
      title={source.name}
      parent={parent}
      status={<StatusBadge status={stateOf(source)} />}
      description={
        source.provider === 'upload'
          ? 'From uploaded files'
          : `${providerWords[source.provider].label}, read ${describeSchedule(source.schedule)}`
      }
      actions={can('data:write') && <SourceActions source={source} latestSync={sync ?? undefined} />}
    >
      <SourceState source={source} sync={sync} uploads={uploads} canWrite={can('data:write')} />
      <PageTabs
        label="Parts of the source"
        tabs={[
          { label: 'Rows', link: { to: '/$workspaceId/data/$sourceId', ...link } },
          { label: 'History', link: { to: '/$workspaceId/data/$sourceId/syncs', ...link } },
          { label: 'Settings', link: { to: '/$workspaceId/data/$sourceId/settings', ...link } },
        ]}
      />
      <Outlet />
    </Page>
  )
}

function SourceState({
  source,
  sync,
  uploads,
  canWrite,
}: {
  source: Source
  sync: Sync | null | undefined
  uploads: readonly Upload[]
  canWrite: boolean
}) {
  const isUpload = source.provider === 'upload'
  return (
    <>
      {source.status === 'error' && source.last_error && (
        <Callout tone="danger" title="It could not be read the last time">
          {source.last_error.message} · <Time value={source.last_error.at} />
        </Callout>
      )}
      {source.status === 'paused' && (
        <Callout tone="warning" title="This source is paused">
          It is not read until it is resumed. Its rows stay.
        </Callout>
      )}
      <Stats>
        <Stat label="Rows" value={formatNumber(source.record_count)} />
        <Stat label={isUpload ? 'Last upload' : 'Last read'} value={<Time value={source.last_synced_at} />} />
        {!isUpload && (
          <Stat
            label="Next read"
            value={source.next_sync_at ? <Time value={source.next_sync_at} /> : '–'}
            note={source.schedule.type === 'manual' ? 'It is read only when started' : undefined}
          />
        )}
        <Stat label="Columns" value={formatNumber(source.schema.length)} />
      </Stats>
      {sync && isUnfinished(sync) && <SyncProgress sync={sync} canWrite={canWrite} />}
      <UploadList list={uploads} recordCount={source.record_count} />
      <SourceUse source={source} />
    </>
  )
}

/** Reads source, records and syncs again as a sync goes on and when it ends. */
function useRefreshAfterSync(workspaceId: string, sourceId: string, sync: Sync | null | undefined): void {
  const client = useQueryClient()
  const state = sync ? `${sync.id} ${sync.status}` : ''
  useEffect(() => {
    const key = sourceKey(workspaceId, sourceId)
    if (state !== '')
      void client.invalidateQueries({ queryKey: key, predicate: (query) => query.queryKey[4] !== 'latest-sync' })
  }, [state, client, workspaceId, sourceId])
}

/** A running sync with its progress, and a button that cancels it. */
function SyncProgress({ sync, canWrite }: { sync: Sync; canWrite: boolean }) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.data.cancelSync({ params: { id: sync.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sourceKey(workspaceId, sync.data_source_id) }),
  })
  return (
    <Card
      title={sync.status === 'queued' ? 'Sync queued' : 'Sync running'}
      actions={
        canWrite && (
          <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel sync
          </Button>
        )
      }
    >
      <Stack>
        <Progress
          value={sync.progress}
          label={sync.status === 'queued' ? 'Waiting for its turn' : describeCounts(sync.counts)}
        />
        {cancel.error && <ErrorMessage error={cancel.error} />}
      </Stack>
    </Card>
  )
}
