import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../session/workspace-context.tsx'
import { Button, Icon, IconButton } from '../ui/button/button.tsx'
import { ConfirmedAction } from '../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../ui/format/format.ts'
import { Menu } from '../ui/menu/menu.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { dataKey, isUnfinished, type Source, type Sync, sourceKey } from './shared/queries.ts'

/** The actions of a source: sync now, read everything, pause or resume, delete. */
export function SourceActions({ source, latestSync }: { source: Source; latestSync: Sync | undefined }) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const params = { data_source_id: source.data_source_id }
  const refresh = () => client.invalidateQueries({ queryKey: sourceKey(workspaceId, source.data_source_id) })
  const sync = useMutation({
    mutationFn: (body: { mode?: 'full'; reset_cursor?: boolean }) => api.data.startSync({ params, body }),
    onSuccess: refresh,
    onError: showError,
  })
  const isPaused = source.status === 'paused'
  const setPaused = useMutation({
    mutationFn: (status: 'active' | 'paused') => api.data.updateSource({ params, body: { status } }),
    onSuccess: ({ status }) => {
      showSuccess(status === 'paused' ? 'Source paused' : 'Source resumed')
      return refresh()
    },
    onError: showError,
  })
  const isRunning = latestSync !== undefined && isUnfinished(latestSync)
  const isUpload = source.provider === 'upload'
  return (
    <>
      <Button icon="refresh" isBusy={sync.isPending} disabled={isRunning} onClick={() => sync.mutate({})}>
        {isUpload ? 'Read again' : 'Read now'}
      </Button>
      <DeleteSource
        source={source}
        control={(ask) => (
          <Menu
            trigger={
              <IconButton label={`Actions of ${source.name}`}>
                <Icon name="more" />
              </IconButton>
            }
            entries={[
              !isUpload && {
                label: 'Read everything again',
                icon: 'refresh',
                isDisabled: isRunning,
                onSelect: () => sync.mutate({ mode: 'full', reset_cursor: true }),
              },
              !isUpload && {
                label: isPaused ? 'Resume' : 'Pause',
                icon: isPaused ? 'play' : 'clock',
                onSelect: () => setPaused.mutate(isPaused ? 'active' : 'paused'),
              },
              !isUpload && 'separator',
              { label: 'Delete source', icon: 'trash', isDangerous: true, onSelect: ask },
            ]}
          />
        )}
      />
    </>
  )
}

function DeleteSource({
  source: { data_source_id: id, name, record_count: count },
  control,
}: {
  source: Source
  control: (ask: () => void) => ReactNode
}) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmedAction
      control={control}
      title={`Delete ${name}`}
      confirmLabel={`Delete source and ${formatCount(count, 'record')}`}
      {...(count > 0 && { typedConfirmation: name })}
      onConfirm={async () => {
        await api.data.deleteSource({ params: { data_source_id: id } })
        await navigate({ to: '/$workspaceId/data', params: { workspaceId } })
        client.removeQueries({ queryKey: sourceKey(workspaceId, id) })
        await client.invalidateQueries({ queryKey: dataKey(workspaceId) })
        showSuccess('Source deleted')
      }}
    >
      The source and its {formatCount(count, 'record')} are erased at once, also from search. The figures of Buildings
      and Teams that were counted from them are removed within minutes; spaces of a list stay. Forecasts and scenarios
      that were made from them stay as they are, and new ones cannot be made; daily plans go on with the figures that
      are left. This cannot be undone.
    </ConfirmedAction>
  )
}
