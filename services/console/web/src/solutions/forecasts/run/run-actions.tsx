import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { downloadFile } from '../../../api/download-file.ts'
import { useLeadOn } from '../../../routing/use-lead-on.ts'
import { useCan, useWorkspace, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { ConfirmedAction } from '../../../ui/dialog/confirm-dialog.tsx'
import { useLocaleQuery } from '../../../ui/format/reader.ts'
import { Menu } from '../../../ui/menu/menu.tsx'
import { showError, showSuccess } from '../../../ui/message/toast.ts'
import { DeleteForecasts } from '../delete-forecasts.tsx'
import {
  type ForecastRunDetail,
  isActive,
  type NewForecast,
  recallSeries,
  rememberSeries,
  runInput,
} from '../run-input.ts'

/** The actions of a run: download, run again, change and run, cancel, delete. */
export function RunActions({ run }: { run: ForecastRunDetail }) {
  const can = useCan()
  const workspaceId = useWorkspaceId()
  const again = useRunAgain(run)
  const localeQuery = useLocaleQuery()
  const download = useMutation({
    mutationFn: () =>
      downloadFile(
        workspaceId,
        `/v1/solutions/workplace/forecast/runs/${encodeURIComponent(run.id)}/content?format=csv&${localeQuery}`,
        `${run.id}.csv`,
      ),
    onError: showError,
  })
  return (
    <>
      {run.status === 'finished' && (
        <Button icon="download" isBusy={download.isPending} onClick={() => download.mutate()}>
          Download CSV
        </Button>
      )}
      {can('solutions:run') && (
        <>
          {isActive(run) && <CancelButton run={run} />}
          <ButtonLink to="/$workspaceId/forecasts/new" search={{ from: run.id }}>
            Change and run
          </ButtonLink>
          {!isActive(run) && again.isPossible && (
            <Button icon="refresh" variant="primary" isBusy={again.isPending} onClick={again.start}>
              Run again
            </Button>
          )}
        </>
      )}
      {can('solutions:write') && <DeleteButton run={run} />}
    </>
  )
}

function DeleteButton({ run: { id } }: { run: ForecastRunDetail }) {
  const navigate = useNavigate()
  const workspaceId = useWorkspaceId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label="More" />}
        entries={[{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setOpen(true) }]}
      />
      <DeleteForecasts
        ids={isOpen ? [id] : []}
        onClose={() => setOpen(false)}
        onDeleted={(failed) =>
          failed.length === 0 && navigate({ to: '/$workspaceId/forecasts', params: { workspaceId }, search: {} })
        }
      />
    </>
  )
}

/** Starts a run with the same input. Of pasted series, that is possible only where they were pasted. */
function useRunAgain(run: ForecastRunDetail) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const leadOn = useLeadOn()
  const { series: counts, ...input } = runInput(run)
  const series = recallSeries(client, workspaceId, run.id)
  const body: NewForecast = {
    ...input,
    ...(series !== undefined && { series }),
    metadata: run.metadata,
    external_id: run.external_id,
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.solutions.startForecastRun({ body }),
    onError: showError,
    onSuccess: async ({ id }) => {
      if (series !== undefined) rememberSeries(client, workspaceId, id, series)
      showSuccess('Forecast started')
      await leadOn({ to: '/$workspaceId/forecasts/$runId', params: { workspaceId, runId: id } })
    },
  })
  return { isPossible: counts === undefined || series !== undefined, isPending, start: () => mutate() }
}

function CancelButton({ run }: { run: ForecastRunDetail }) {
  const { api, refresh } = useWorkspace()
  return (
    <ConfirmedAction
      control={(ask) => (
        <Button icon="stop" onClick={ask}>
          Cancel
        </Button>
      )}
      title="Cancel this forecast"
      confirmLabel="Cancel forecast"
      onConfirm={async () => {
        await api.solutions.cancelForecastRun({ params: { id: run.id } })
        await refresh('forecasts')
      }}
    >
      The run stops and has no result. Its input is kept, so you can run it again.
    </ConfirmedAction>
  )
}
