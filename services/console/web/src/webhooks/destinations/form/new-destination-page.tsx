import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MissingScopeNotice } from '../../../session/missing-scope-notice.tsx'
import { useWorkspace } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { showError } from '../../../ui/message/toast.ts'
import { Page } from '../../../ui/page/page.tsx'
import { type TestResult, TestResultDialog } from '../detail/test-result-dialog.tsx'
import { DestinationForm, type DestinationValues } from './destination-form.tsx'

/** Creates an event destination, writes a test record and shows the response. */
export function NewDestinationPage() {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const [tested, setTested] = useState<{ destinationId: string; result: TestResult }>()
  const parent = { to: '/$workspaceId/webhooks/destinations', params: { workspaceId } } as const
  const open = (destinationId: string) =>
    navigate({ to: '/$workspaceId/webhooks/destinations/$destinationId', params: { workspaceId, destinationId } })
  const create = async (body: DestinationValues) => {
    const { destination_id: destinationId } = await api.webhooks.createDestination({ body })
    await refresh('webhooks')
    try {
      const result = await api.webhooks.testDestination({ params: { destination_id: destinationId } })
      setTested({ destinationId, result })
    } catch (error) {
      // It exists: its page offers the test again.
      showError(error)
      await open(destinationId)
    }
  }
  return (
    <Page
      title="Add event destination"
      description="Records from now on are written there. Replay earlier ones from its page."
      isNarrow
      parent={{ label: 'Event destinations', link: parent }}
    >
      <MissingScopeNotice action="add event destinations" scope="webhooks:write" />
      <DestinationForm onSubmit={create} onCancel={() => void navigate(parent)} />
      {tested && (
        <TestResultDialog
          title={tested.result.ok ? 'The event destination is ready' : 'Created, but the test failed'}
          result={tested.result}
          onClose={() => void open(tested.destinationId)}
          footer={
            <>
              {!tested.result.ok && (
                <ButtonLink
                  to="/$workspaceId/webhooks/destinations/$destinationId/edit"
                  params={{ destinationId: tested.destinationId }}
                >
                  Change the settings
                </ButtonLink>
              )}
              <Button variant="primary" onClick={() => void open(tested.destinationId)}>
                Open it
              </Button>
            </>
          }
        />
      )}
    </Page>
  )
}
