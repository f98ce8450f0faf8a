import { useState } from 'react'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { Time } from '../../ui/values/values.tsx'
import { usePasskeys } from './passkeys-card.tsx'

const settingsKey = 'passkey-settings'

/** Reads how the signed-in user may sign in. */
export const usePasskeySettings = () =>
  useApiQuery([settingsKey], (client, options) => client.auth.getPasskeySettings({}, options))

/** The choice to sign in with passkeys only, and a recovery that is under way. */
export function PasskeyOnlyCard() {
  const { api, refresh } = useWorkspace()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { data: settings } = usePasskeySettings()
  const { data: passkeys } = usePasskeys()
  const count = passkeys?.items.length ?? 0
  if (settings === undefined || (count === 0 && !settings.required)) return null
  const change = async (required: boolean) => {
    await api.auth.updatePasskeySettings({ body: { required } })
    await refresh(settingsKey)
    showSuccess(required ? 'Only passkeys sign you in now' : 'Codes by mail sign you in again')
  }
  const run = (work: () => Promise<unknown>) => {
    setFailure(undefined)
    void work().catch(setFailure)
  }
  return (
    <Card
      title="Passkeys only"
      description="Then your mailbox alone is not enough to sign in as you. Codes, links, Google, GitHub and the sign-in of your company are refused for your account."
    >
      <Stack>
        {settings.recovery && (
          <Callout tone="warning" title="A recovery of your account was requested">
            <p>
              From <Time value={settings.recovery.available_at} /> codes by mail sign in again. Cancel it if that was
              not you.
            </p>
            <Button
              onClick={() =>
                run(async () => {
                  await api.auth.cancelPasskeyRecovery()
                  await refresh(settingsKey)
                  showSuccess('Cancelled the recovery')
                })
              }
            >
              Cancel the recovery
            </Button>
          </Callout>
        )}
        {count === 1 && !settings.required && (
          <Callout tone="info">Add a second passkey first. If you lose the only one, recovery takes a day.</Callout>
        )}
        {failure !== undefined && <ErrorMessage error={failure} />}
        <Cluster>
          {settings.required ? (
            <Button onClick={() => run(() => change(false))}>Allow codes by mail again</Button>
          ) : (
            <Button onClick={() => setAsking(true)}>Sign in with passkeys only</Button>
          )}
        </Cluster>
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Sign in with passkeys only"
        confirmLabel="Use passkeys only"
        isDangerous={false}
        onConfirm={() => change(true)}
      >
        If you lose all your passkeys, you can request a recovery by mail. It takes a day, and you and the owners of
        your workspaces are told at once.
      </ConfirmDialog>
    </Card>
  )
}
