import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import type { Dataset } from './dataset-words.ts'

const maxNames = 5

/** Names what may rest on a dataset. */
function RestingOn() {
  const { data } = useApiQuery(['workplace', 'resting'], async ({ solutions }, options) => {
    const finished = { query: { limit: 100, status: 'finished' as const } }
    const [runs, scenarios, schedules] = await Promise.all([
      solutions.listForecastRuns(finished, options),
      solutions.listScenarios(finished, options),
      solutions.listPlanSchedules({ query: { limit: 100 } }, options),
    ])
    return {
      forecasts: runs.items.filter(({ input }) => 'workplace' in input).length,
      scenarios: scenarios.items.filter(({ stale }) => stale !== true),
      schedules: schedules.items,
    }
  })
  if (data === undefined) return null
  const { forecasts, scenarios, schedules } = data
  return (
    <>
      {forecasts > 0 &&
        `${formatCount(forecasts, 'forecast')} of buildings and teams stay; those made from the figures are marked as stale. `}
      {scenarios.length > 0 && `Scenarios that may rest on them: ${namesOf(scenarios)}. `}
      {schedules.length > 0 && `Daily plans go on without them: ${namesOf(schedules)}.`}
    </>
  )
}

const namesOf = (all: readonly { name: string }[]): string => {
  const names = all.slice(0, maxNames).map(({ name }) => isolate(name))
  return [...names, ...(all.length > maxNames ? [`${all.length - maxNames} more`] : [])].join(', ')
}

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
        rows, the buildings and the teams stay. <RestingOn />
      </ConfirmedAction>
    </>
  )
}
