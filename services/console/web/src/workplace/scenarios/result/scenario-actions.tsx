import { useMutation } from '@tanstack/react-query'
import { downloadFile } from '../../../api/download-file.ts'
import { useApi, useCan, useRefresh, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Button, Icon, IconButton } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { showError } from '../../../ui/message/toast.ts'
import { DownloadButton } from '../../../ui/values/download-button.tsx'
import { isActive } from '../scenarios-page.tsx'
import type { ScenarioDetail } from '../workplace.ts'

/** The actions of a scenario: the report, other files, the daily plan that follows it, and cancel. */
export function ScenarioActions({ scenario }: { scenario: ScenarioDetail }) {
  const can = useCan()
  if (isActive(scenario)) return can('solutions:run') ? <CancelButton id={scenario.id} /> : null
  if (scenario.result === null) return null
  const hasPlaces = scenario.result.floors.length > 0
  return (
    <>
      {hasPlaces && scenario.result.is_feasible && scenario.space_id !== null && can('solutions:write') && (
        <PlanLink spaceId={scenario.space_id} scenarioId={scenario.id} />
      )}
      <Downloads scenario={scenario} hasPlaces={hasPlaces} />
    </>
  )
}

function PlanLink({ spaceId, scenarioId }: { spaceId: string; scenarioId: string }) {
  const workspaceId = useWorkspaceId()
  return (
    <ButtonLink to="/$workspaceId/plans" params={{ workspaceId }} search={{ space: spaceId, scenario: scenarioId }}>
      <Icon name="calendar" size={16} />
      Use for the daily plan
    </ButtonLink>
  )
}

function Downloads({ scenario: { id, name }, hasPlaces }: { scenario: ScenarioDetail; hasPlaces: boolean }) {
  const workspaceId = useWorkspaceId()
  const pathOf = (format: string) =>
    `/v1/solutions/workplace/scenarios/${encodeURIComponent(id)}/content?format=${format}`
  const { mutate } = useMutation({
    mutationFn: (format: string) => downloadFile(workspaceId, pathOf(format), `${name}.${format}`),
    onError: showError,
  })
  return (
    <>
      {hasPlaces && (
        <Menu
          trigger={
            <IconButton label="Other files">
              <Icon name="chevron-down" size={16} />
            </IconButton>
          }
          entries={[
            { label: 'Excel workbook with formulas', icon: 'download', onSelect: () => mutate('xlsx') },
            { label: 'CSV of who sits where', icon: 'download', onSelect: () => mutate('csv') },
          ]}
        />
      )}
      <DownloadButton variant="primary" workspaceId={workspaceId} path={pathOf('pdf')} fileName={`${name}.pdf`}>
        Report
      </DownloadButton>
    </>
  )
}

function CancelButton({ id }: { id: string }) {
  const api = useApi()
  const refresh = useRefresh()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.solutions.cancelScenario({ params: { id } }),
    onError: showError,
    onSettled: () => refresh('scenarios', 'one'),
  })
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      <Icon name="stop" size={16} />
      Cancel
    </Button>
  )
}
