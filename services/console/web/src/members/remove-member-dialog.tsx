import { useState } from 'react'
import { readAll } from '../api/read-all.ts'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../ui/form/controls.tsx'
import { formatCount } from '../ui/format/format.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import { showSuccess } from '../ui/message/toast.ts'
import { Stack } from '../ui/page/page.tsx'
import type { Member } from './queries.ts'

/** Removes a member, on request with the API keys that the member created, or withdraws an invitation. */
export function RemoveMemberDialog({ user, onClose }: { user: Member; onClose: () => void }) {
  const { api, refresh } = useWorkspace()
  const [revokesKeys, setRevokesKeys] = useState(false)
  const isInvitation = user.status === 'invited'
  const { data: keyCount } = useApiQuery(
    ['api-keys', 'created-by', user.user_id],
    async (api, options) => {
      const keys = await readAll((query) => api.auth.listApiKeys({ query }, options), Number.POSITIVE_INFINITY)
      return keys.filter(({ created_by }) => created_by === user.user_id).length
    },
    { enabled: useCan()('auth:keys') && !isInvitation },
  )
  const name = isolate(user.name ?? user.email)
  const remove = async () => {
    const query = revokesKeys ? { revoke_keys: 'true' as const } : {}
    await api.auth.removeUser({ params: { user_id: user.user_id }, query })
    await refresh()
    showSuccess(isInvitation ? `Withdrew the invitation of ${name}` : `Removed ${name}`)
  }
  if (isInvitation)
    return (
      <ConfirmDialog
        isOpen
        onClose={onClose}
        title={`Withdraw the invitation of ${name}`}
        confirmLabel="Withdraw invitation"
        onConfirm={remove}
      >
        The link of the mail stops working. You can invite the address again.
      </ConfirmDialog>
    )
  const keys = keyCount === undefined ? 'the API keys' : formatCount(keyCount, 'API key')
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${name}`}
      confirmLabel={revokesKeys ? `Remove member and ${keys}` : 'Remove member'}
      onConfirm={remove}
    >
      <Stack>
        <p>{name} loses access within a second. What was created stays in the workspace.</p>
        {keyCount === 0 ? (
          <p>{name} has not created any API keys of this workspace.</p>
        ) : (
          <Checkbox
            label={`Revoke ${keys} that ${name} created`}
            hint="Otherwise they keep working and belong to the workspace."
            checked={revokesKeys}
            onChange={({ target }) => setRevokesKeys(target.checked)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}
