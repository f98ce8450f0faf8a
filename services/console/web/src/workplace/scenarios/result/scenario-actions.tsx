import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { downloadFile } from '../../../api/download-file.ts'
import { useCan, useWorkspace, useWorkspaceId } from '../../../session/workspace-context.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { useLocaleQuery } from '../../../ui/format/reader.ts'
import { Menu } from '../../../ui/menu/menu.tsx'
import { showError } from '../../../ui/message/toast.ts'
import { DownloadButton } from '../../../ui/values/download-button.tsx'
import { DeleteScenarios } from '../delete-scenarios.tsx'
import { isActive } from '../scenarios-page.tsx'
import type { ScenarioDetail } from '../workplace.ts'

/** The actions of a scenario: the report, other files, the daily plan that follows it, cancel and delete. */
export function ScenarioActions({ scenario }: { scenario: ScenarioDetail }) {
  const can = useCan()
  const workspaceId = useWorkspaceId()
  const localeQuery = useLocaleQuery()
  const { result, space_id: spaceId } = scenario
  const hasPlaces = result !== null && result.floors.length > 0
  return (
    <>
      {isActive(scenario) && can('solutions:run') && <CancelButton id={scenario.id} />}
      {hasPlaces && result.is_feasible && spaceId !== null && can('solutions:write') && (
        <PlanLink spaceId={spaceId} scenarioId={scenario.id} />
      )}
      {result !== null && (
        <DownloadButton
          variant="primary"
          workspaceId={workspaceId}
          path={`${contentPath(scenario.id, 'pdf')}&${localeQuery}`}
          fileName={`${scenario.name}.pdf`}
        >
          Report (PDF)
        </DownloadButton>
      )}
      <MoreActions scenario={scenario} hasPlaces={hasPlaces} />
    </>
  )
}

const contentPath = (id: string, format: string) =>
  `/v1/solutions/workplace/scenarios/${encodeURIComponent(id)}/content?format=${format}`

function PlanLink({ spaceId, scenarioId }: { spaceId: string; scenarioId: string }) {
  return (
    <ButtonLink icon="calendar" to="/$workspaceId/plans" search={{ space: spaceId, scenario: scenarioId }}>
      Use for the daily plan
    </ButtonLink>
  )
}

function MoreActions({ scenario: { id, name }, hasPlaces }: { scenario: ScenarioDetail; hasPlaces: boolean }) {
  const workspaceId = useWorkspaceId()
  const mayDelete = useCan()('solutions:write')
  const localeQuery = useLocaleQuery()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const { mutate } = useMutation({
    mutationFn: (format: string) =>
      downloadFile(workspaceId, `${contentPath(id, format)}&${localeQuery}`, `${name}.${format}`),
    onError: showError,
  })
  if (!hasPlaces && !mayDelete) return null
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label="More" />}
        entries={[
          hasPlaces && { label: 'Excel workbook with formulas', icon: 'download', onSelect: () => mutate('xlsx') },
          hasPlaces && { label: 'CSV of who sits where', icon: 'download', onSelect: () => mutate('csv') },
          mayDelete && { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteScenarios
        scenarios={isDeleting ? [{ id, name }] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate({ to: '/$workspaceId/scenarios', params: { workspaceId }, search: {} })}
      />
    </>
  )
}

function CancelButton({ id }: { id: string }) {
  const { api, refresh } = useWorkspace()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.solutions.cancelScenario({ params: { id } }),
    onError: showError,
    onSettled: () => refresh('scenarios', 'one'),
  })
  return (
    <Button icon="stop" isBusy={isPending} onClick={() => mutate()}>
      Cancel
    </Button>
  )
}
