import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { readRuns } from '../../solutions/forecasts/read-runs.ts'
import { type ForecastRun, runInput } from '../../solutions/forecasts/run-input.ts'
import { runName } from '../../solutions/forecasts/run-names.ts'
import { useNames } from '../../solutions/forecasts/use-names.ts'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { joinWords } from '../scenarios/scenario-words.ts'
import type { Dataset } from './dataset-words.ts'

const maxNames = 5

/** Names what may rest on a dataset. */
function RestingOn() {
  const { data } = useApiQuery(['workplace', 'resting'], async (api, options) => {
    const { items: scenarios } = await api.solutions.listScenarios(
      { query: { limit: 100, status: 'finished' } },
      options,
    )
    const { items: schedules } = await api.solutions.listPlanSchedules({ query: { limit: 100 } }, options)
    const { runs } = await readRuns(api, { status: 'finished' }, options, isOfWorkplace)
    return {
      scenarios: scenarios.filter(({ stale }) => stale !== true),
      schedules,
      forecasts: runs.filter(isOfWorkplace),
    }
  })
  const names = useNames()
  if (data === undefined || names === undefined) return null
  const { scenarios, schedules, forecasts } = data
  const list = (all: readonly string[]) =>
    joinWords([
      ...all.slice(0, maxNames).map(isolate),
      ...(all.length > maxNames ? [`${all.length - maxNames} more`] : []),
    ])
  return (
    <>
      {forecasts.length + scenarios.length > 0 &&
        'Forecasts and scenarios that were made from the figures stay, but are marked as stale, and nothing is decided by them any more. '}
      {forecasts.length > 0 &&
        `Forecasts of buildings and teams: ${list(forecasts.map((run) => runName(run, names)))}. `}
      {scenarios.length > 0 && `Scenarios: ${list(scenarios.map((one) => one.name))}. `}
      {schedules.length > 0 &&
        `Daily plans go on with the figures that are left, without these forecasts: ${list(schedules.map((one) => one.name))}.`}
    </>
  )
}

const isOfWorkplace = (run: ForecastRun): boolean => runInput(run).workplace !== undefined

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
