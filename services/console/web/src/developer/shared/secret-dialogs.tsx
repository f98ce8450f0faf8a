import { useBaseUrl } from '../../session/workspace-context.tsx'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Time } from '../../ui/values/values.tsx'
import { apiKeySnippets, apiKeyValues, principalSnippets, principalValues } from './snippets.ts'

/** An API key that was just created, or has replaced another. */
export interface ApiKeySecret {
  name: string | null
  api_key: string
  /** Present after a rotation: when the previous key ends, null if it has. */
  previous_expires_at?: string | null
}

/** Shows an API key, once. */
export function ApiKeySecretDialog({ secret, onClose }: { secret: ApiKeySecret; onClose: () => void }) {
  const baseUrl = useBaseUrl()
  const name = secret.name ?? 'your API key'
  return (
    <SecretDialog
      title={secret.previous_expires_at === undefined ? 'The API key is ready' : `New secret of ${name}`}
      values={apiKeyValues(baseUrl, secret.api_key)}
      fileName="api-key.env"
      snippets={apiKeySnippets(baseUrl, secret.api_key)}
      onClose={onClose}
    >
      {secret.previous_expires_at !== undefined && <PreviousSecretNote noun="key" until={secret.previous_expires_at} />}
    </SecretDialog>
  )
}

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

/** States until when the previous secret works. @param until null if it has ended */
export const PreviousSecretNote = ({ noun, until }: { noun: string; until: string | null }) =>
  until === null ? (
    <Callout tone="info">The old {noun} no longer works.</Callout>
  ) : (
    <Callout tone="info">
      The old {noun} works until <Time value={until} format="absolute" />.
    </Callout>
  )

/** A credential in a confirmation: its name and its last use. */
export const LastUse = ({ name, at }: { name: string; at: string | null }) => (
  <>
    <strong>{isolate(name)}</strong>, last used {at ? <Time value={at} /> : 'never'}
  </>
)
