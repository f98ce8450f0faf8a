import { useWorkspace } from '../../session/workspace-context.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { runBulk } from '../../ui/table/row-selection.tsx'
import type { Scenario } from './workplace.ts'

/** Asks before scenarios are deleted. @param props.scenarios none: it is closed */
export function DeleteScenarios({
  scenarios,
  onClose,
  onDeleted,
}: {
  scenarios: readonly Pick<Scenario, 'id' | 'name'>[]
  onClose: () => void
  /** Called with the ids of those that are deleted, which are not all after an error. */
  onDeleted: (ids: readonly string[]) => unknown
}) {
  const { api, refresh } = useWorkspace()
  const [first] = scenarios
  const what = scenarios.length === 1 ? isolate(first?.name ?? '') : formatCount(scenarios.length, 'scenario')
  return (
    <ConfirmDialog
      isOpen={first !== undefined}
      onClose={onClose}
      title={`Delete ${what}`}
      confirmLabel={scenarios.length === 1 ? 'Delete scenario' : `Delete ${what}`}
      onConfirm={async () => {
        const ids = scenarios.map(({ id }) => id)
        const { done, failed, error } = await runBulk(ids, (id) => api.solutions.deleteScenario({ params: { id } }))
        if (done.length > 0) await onDeleted(done)
        await refresh('scenarios')
        if (failed.length > 0) throw error
        showSuccess('Deleted')
      }}
    >
      Its result, its report and the open recommendations that rest on it are deleted. This cannot be undone. Reports
      that you downloaded stay, and so do recommendations that were accepted or dismissed.
    </ConfirmDialog>
  )
}
