import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import type { Dataset } from './dataset-words.ts'

/** Counts a file again, or deletes what was counted from it. */
export function DatasetActions({ dataset: { id, name }, isBusy }: { dataset: Dataset; isBusy: boolean }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const count = useMutation({
    mutationFn: () => api.solutions.refreshDataset({ params: { id }, body: { full: true } }),
    onSuccess: () => refresh('workplace', 'dataset', id),
    onError: showError,
  })
  return (
    <>
      <Button icon="refresh" isBusy={count.isPending} disabled={isBusy} onClick={() => count.mutate()}>
        Count again
      </Button>
      <ConfirmedAction
        control={(ask) => (
          <Button icon="trash" onClick={ask}>
            Delete
          </Button>
        )}
        title={`Stop counting ${name}`}
        confirmLabel="Delete what was counted"
        onConfirm={async () => {
          await api.solutions.deleteDataset({ params: { id } })
          await navigate({ to: '/$workspaceId/data', params: { workspaceId } })
          await refresh('workplace')
          showSuccess('Deleted')
        }}
      >
        The figures that were counted from <strong>{isolate(name)}</strong> leave every building and team. The uploaded
        rows, the buildings and the teams stay, and so do forecasts and scenarios that were made from the figures. Daily
        plans go on with the figures that are left.
      </ConfirmedAction>
    </>
  )
}
