import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { ActionMenu } from '../../../ui/menu/menu.tsx'
import { showError, showSuccess } from '../../../ui/message/toast.ts'
import type { DestinationView } from '../destination-words.ts'
import { ReplayDestinationDialog } from './replay-destination-dialog.tsx'
import { type TestResult, TestResultDialog } from './test-result-dialog.tsx'

/** The actions of an event destination: its buttons, and the dialogs behind them. */
export function DestinationActions({ destination }: { destination: DestinationView }) {
  const { destination_id: destinationId, name, status, health } = destination
  const { api, workspaceId, refresh } = useWorkspace()
  const canWrite = useCan()('webhooks:write')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'replay' | 'disable' | 'delete'>()
  const [result, setResult] = useState<TestResult>()
  const params = { destination_id: destinationId }
  const isActive = status === 'active'
  const close = () => setDialog(undefined)
  const setStatus = async (next: 'active' | 'disabled') => {
    await api.webhooks.updateDestination({ params, body: { status: next } })
    await refresh('webhooks')
    showSuccess(next === 'active' ? `Enabled ${name}` : `Disabled ${name}`)
  }
  const enable = () => void setStatus('active').catch(showError)
  const test = useMutation({
    mutationFn: () => api.webhooks.testDestination({ params }),
    onSuccess: setResult,
    onError: showError,
  })
  const remove = async () => {
    await api.webhooks.deleteDestination({ params })
    await navigate({ to: '/$workspaceId/webhooks/destinations', params: { workspaceId } })
    showSuccess(`Deleted ${name}`)
    await refresh('webhooks')
  }
  if (!canWrite) return null
  return (
    <>
      <ActionMenu
        label={`Actions of ${name}`}
        entries={[
          { label: 'Replay records', icon: 'refresh', onSelect: () => setDialog('replay') },
          'separator',
          isActive
            ? { label: 'Disable', icon: 'stop', onSelect: () => setDialog('disable') }
            : { label: 'Enable', icon: 'play', onSelect: enable },
          { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') },
        ]}
      />
      <ButtonLink to="/$workspaceId/webhooks/destinations/$destinationId/edit" params={{ destinationId }}>
        Edit
      </ButtonLink>
      <Button variant={isActive ? 'primary' : 'default'} isBusy={test.isPending} onClick={() => test.mutate()}>
        Write a test record
      </Button>
      {!isActive && (
        <Button variant="primary" onClick={enable}>
          Enable
        </Button>
      )}
      {result && (
        <TestResultDialog
          title="Test record"
          result={result}
          onClose={() => setResult(undefined)}
          footer={
            <Button variant="primary" onClick={() => setResult(undefined)}>
              Close
            </Button>
          }
        />
      )}
      {dialog === 'replay' && <ReplayDestinationDialog destination={destination} onClose={close} />}
      <ConfirmDialog
        isOpen={dialog === 'disable'}
        onClose={close}
        title={`Disable ${name}`}
        confirmLabel="Disable destination"
        isDangerous={false}
        onConfirm={() => setStatus('disabled')}
      >
        Nothing is written while it is disabled. Records wait, and are written in order after you enable it again, as
        far as they are still kept.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        confirmLabel="Delete destination"
        onConfirm={remove}
      >
        {health.lag > 0 && `${formatCount(health.lag, 'record that waits is', 'records that wait are')} not written. `}
        Nothing more is written there; what was written stays. This cannot be undone; to pause, disable it instead.
      </ConfirmDialog>
    </>
  )
}
