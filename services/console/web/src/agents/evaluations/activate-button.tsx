import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@wp/client/browser'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Stack } from '../../ui/page/page.tsx'
import { agentQuery } from '../shared/queries.ts'

/** Makes a version the active one. Who may, is offered to do so against the condition, with a reason. */
export function ActivateButton({
  agentId,
  version,
  size = 'normal',
}: {
  agentId: string
  version: number
  size?: 'normal' | 'small'
}) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<string>()
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (!can('agents:write')) return null
  const send = async (override?: { reason: string }) => {
    const params = { agent_id: agentId, version: String(version) }
    const agent = await api.agents.activateAgentVersion({ params, body: override === undefined ? {} : { override } })
    queryClient.setQueryData(agentQuery(api, workspaceId, agentId).queryKey, agent)
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'agents'] })
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'evaluations'] })
    showSuccess(`Version ${version} is active`)
  }
  const activate = async () => {
    setBusy(true)
    try {
      await send()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'gate_not_passed' && can('agents:gate')) setRefusal(error.message)
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button size={size} isBusy={isBusy} onClick={() => void activate()}>
        <Icon name="check" size={16} />
        Activate version {version}
      </Button>
      <ConfirmDialog
        isOpen={refusal !== undefined}
        onClose={() => setRefusal(undefined)}
        title={`Activate version ${version} against the condition?`}
        confirmLabel="Activate it all the same"
        onConfirm={() => send({ reason })}
      >
        <Stack>
          <p>{refusal}</p>
          <Field label="Reason" hint="Kept in the audit log">
            <Textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
          </Field>
        </Stack>
      </ConfirmDialog>
    </>
  )
}
