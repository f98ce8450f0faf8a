import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { useState } from 'react'
import { useWorkspace } from '../session/workspace-context.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { formatCount } from '../ui/format/format.ts'
import { Callout } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import styles from './integrations.module.css'
import { type Integration, integrationsKey } from './queries.ts'
import { type IntegrationUser, readUsers } from './secret-schema.ts'

/** Asks before an integration is deleted. If it is in use, lists its users and asks again before they lose it. */
export function DeleteIntegrationDialog({
  integration: { integration_id: id, name },
  isOpen,
  onClose,
}: {
  integration: Integration
  isOpen: boolean
  onClose: () => void
}) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [users, setUsers] = useState<readonly IntegrationUser[]>()
  const remove = async () => {
    try {
      await api.integrations.deleteIntegration({
        params: { integration_id: id },
        query: { force: users === undefined ? 'false' : 'true' },
      })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'integration_in_use' || users !== undefined) throw error
      setUsers(readUsers(error.body))
      return false
    }
    await navigate({ to: '/$workspaceId/integrations', params: { workspaceId } })
    client.removeQueries({ queryKey: [...integrationsKey(workspaceId), 'details', id] })
    await client.invalidateQueries({ queryKey: integrationsKey(workspaceId) })
    showSuccess('Integration deleted')
    return true
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        setUsers(undefined)
        onClose()
      }}
      title={`Delete ${name}`}
      confirmLabel={
        users === undefined ? 'Delete integration' : `Delete, though ${formatCount(users.length, 'use')} will fail`
      }
      {...(users !== undefined && { typedConfirmation: name })}
      onConfirm={remove}
    >
      The integration and its secrets are erased. This cannot be undone.
      {users !== undefined && (
        <div className={styles.users}>
          <Callout tone="warning" title={`${formatCount(users.length, 'resource')} will fail without it`}>
            <ul>
              {users.map(({ service, type, id: userId }) => (
                <li key={`${service} ${type} ${userId}`}>
                  {type.replaceAll('_', ' ')} <code>{userId}</code> ({service})
                </li>
              ))}
            </ul>
          </Callout>
        </div>
      )}
    </ConfirmDialog>
  )
}
