import { useWorkspace } from '../../session/workspace-context.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { runBulk } from '../../ui/table/row-selection.tsx'

/** Asks before forecasts are deleted. Those that could not be deleted are given back. @param props.ids none: closed */
export function DeleteForecasts({
  ids,
  onClose,
  onDeleted,
}: {
  ids: readonly string[]
  onClose: () => void
  onDeleted: (failed: readonly string[]) => unknown
}) {
  const { api, refresh } = useWorkspace()
  const what = ids.length === 1 ? 'this forecast' : formatCount(ids.length, 'forecast')
  return (
    <ConfirmDialog
      isOpen={ids.length > 0}
      onClose={onClose}
      title={`Delete ${what}`}
      confirmLabel={ids.length === 1 ? 'Delete forecast' : `Delete ${what}`}
      onConfirm={async () => {
        const result = await runBulk(ids, (id) => api.solutions.deleteForecastRun({ params: { id } }))
        await onDeleted(result.failed)
        await refresh('forecasts')
        if (result.done.length > 0) showSuccess(`Deleted ${formatCount(result.done.length, 'forecast')}`)
        if (result.failed.length > 0) throw result.error
      }}
    >
      {ids.length === 1 ? 'Its' : 'Their'} figures, and the open recommendations that follow from{' '}
      {ids.length === 1 ? 'it' : 'them'} alone, are deleted. This cannot be undone. Scenarios that were made of{' '}
      {ids.length === 1 ? 'it' : 'them'} stay; new ones need another forecast.
    </ConfirmDialog>
  )
}
