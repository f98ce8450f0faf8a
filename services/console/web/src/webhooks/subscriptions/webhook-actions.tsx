import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RotateDialog } from '../../ui/dialog/rotate-dialog.tsx'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { nameOfSubscription, type SubscriptionView } from '../shared/subscription-name.ts'
import { WebhookSecretDialog } from '../subscription-form/secret-choice.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { formatPending } from './subscription-table.tsx'

/** The actions of a subscription: its buttons, and the dialogs behind them. */
export function WebhookActions({
  subscription,
  onTested,
  onReplayed,
  onRotated,
}: {
  subscription: SubscriptionView
  onTested: (requestId: string) => void
  onReplayed: (replayId: string) => void
  /** @param previousExpiresAt null if the previous secret has ended */
  onRotated: (previousExpiresAt: string | null) => void
}) {
  const { webhook_id: webhookId, status, stats } = subscription
  const { api, workspaceId } = useWorkspace()
  const canWrite = useCan()('webhooks:write')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'replay' | 'rotate' | 'delete' | 'disable'>()
  const [revealed, setRevealed] = useState<{ secret: string | null }>()
  const [rotated, setRotated] = useState<string>()
  const params = { webhook_id: webhookId }
  const name = nameOfSubscription(subscription)
  const isActive = status === 'active'
  const close = () => setDialog(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] })
  const setStatus = async (next: 'active' | 'disabled') => {
    await api.webhooks.updateSubscription({ params, body: { status: next } })
    await refresh()
    showSuccess(next === 'active' ? `Enabled ${name}` : `Disabled ${name}`)
  }
  const test = useMutation({
    mutationFn: () => api.webhooks.sendTest({ params }),
    onSuccess: ({ request_id }) => {
      onTested(request_id)
      return refresh()
    },
    onError: showError,
  })
  const rotate = async (overlapSeconds: number) => {
    const { secret, previous_expires_at } = await api.webhooks.rotateSecret({
      params,
      body: { overlap_seconds: overlapSeconds },
    })
    close()
    setRotated(secret)
    onRotated(previous_expires_at)
    await refresh()
  }
  const remove = async () => {
    await api.webhooks.deleteSubscription({ params })
    await navigate({ to: '/$workspaceId/webhooks', params: { workspaceId } })
    showSuccess(`Deleted ${name}`)
    await refresh()
  }
  if (!canWrite) return null
  return (
    <>
      <ActionMenu
        label={`Actions of ${name}`}
        entries={[
          { label: 'Replay deliveries', icon: 'refresh', isDisabled: !isActive, onSelect: () => setDialog('replay') },
          'separator',
          {
            label: 'Reveal the secret',
            icon: 'eye',
            isDisabled: !subscription.has_secret,
            onSelect: () => void api.webhooks.getSecret({ params }).then(setRevealed).catch(showError),
          },
          { label: 'Rotate the secret', icon: 'key', onSelect: () => setDialog('rotate') },
          'separator',
          isActive
            ? { label: 'Disable', icon: 'stop', onSelect: () => setDialog('disable') }
            : { label: 'Enable', icon: 'play', onSelect: () => void setStatus('active').catch(showError) },
          { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') },
        ]}
      />
      <ButtonLink to="/$workspaceId/webhooks/$webhookId/edit" params={{ webhookId }}>
        Edit
      </ButtonLink>
      {isActive ? (
        <Button variant="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          Send test
        </Button>
      ) : (
        <Button variant="primary" onClick={() => void setStatus('active').catch(showError)}>
          Enable
        </Button>
      )}
      {dialog === 'replay' && (
        <ReplayDialog
          webhookId={webhookId}
          onClose={close}
          onStarted={(replayId) => {
            close()
            onReplayed(replayId)
          }}
        />
      )}
      <RotateDialog
        isOpen={dialog === 'rotate'}
        onClose={close}
        name={name}
        noun="secret"
        isRevealable
        onRotate={rotate}
      />
      <ConfirmDialog
        isOpen={dialog === 'disable'}
        onClose={close}
        title={`Disable ${name}`}
        confirmLabel="Disable webhook"
        onConfirm={() => setStatus('disabled')}
      >
        Nothing is sent while it is disabled. Matching events are recorded as skipped, so that you can replay them after
        you enable it again.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        confirmLabel="Delete webhook"
        onConfirm={remove}
      >
        {stats.pending === 0
          ? 'No delivery is pending.'
          : `${formatPending(stats.pending)} pending ${stats.pending === 1 ? 'delivery is' : 'deliveries are'} cancelled.`}{' '}
        Past deliveries stay in the list until they expire, but cannot be sent again. This cannot be undone; to pause,
        disable it instead.
      </ConfirmDialog>
      {revealed && <RevealedSecretDialog secret={revealed.secret} onClose={() => setRevealed(undefined)} />}
      {rotated !== undefined && (
        <WebhookSecretDialog title="The new secret" secret={rotated} onClose={() => setRotated(undefined)} />
      )}
    </>
  )
}

/** Shows the stored secret of a subscription. It can be revealed again, so the dialog closes as others do. */
const RevealedSecretDialog = ({ secret, onClose }: { secret: string | null; onClose: () => void }) => (
  <Dialog
    isOpen
    onClose={onClose}
    title="Signing secret"
    description="Revealing it was recorded in the audit log."
    footer={
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    }
  >
    {secret === null ? <p>The subscription has no secret.</p> : <CodeBlock code={secret} label="Signing secret" wrap />}
  </Dialog>
)
