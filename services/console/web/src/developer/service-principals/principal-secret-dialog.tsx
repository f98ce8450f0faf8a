import { useBaseUrl } from '../../session/use-base-url.ts'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { isolate } from '../../ui/format/isolate.ts'
import { PreviousSecretNote } from '../shared/previous-secret-note.tsx'
import { principalSnippets, principalValues } from '../shared/snippets.ts'

/** A secret that was just created, or has replaced another. */
export interface PrincipalSecret {
  name: string
  client_id: string
  client_secret: string
  workspace_id: string
  /** Present after a rotation: when the previous secret ends, null if it has. */
  previous_expires_at?: string | null
}

/** Shows client id, client secret and workspace id, once. */
export function PrincipalSecretDialog({ secret, onClose }: { secret: PrincipalSecret; onClose: () => void }) {
  const credential = {
    baseUrl: useBaseUrl(),
    clientId: secret.client_id,
    clientSecret: secret.client_secret,
    workspaceId: secret.workspace_id,
  }
  const isRotation = secret.previous_expires_at !== undefined
  return (
    <SecretDialog
      title={isRotation ? `New secret of ${secret.name}` : `${isolate(secret.name)} is ready`}
      values={principalValues(credential)}
      fileName="service-principal.env"
      snippets={principalSnippets(credential)}
      onClose={onClose}
    >
      {secret.previous_expires_at !== undefined && (
        <PreviousSecretNote noun="secret" until={secret.previous_expires_at} />
      )}
    </SecretDialog>
  )
}
