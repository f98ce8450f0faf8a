import { useBaseUrl } from '../../session/use-base-url.ts'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { PreviousSecretNote } from '../shared/previous-secret-note.tsx'
import { apiKeySnippets, apiKeyValues } from '../shared/snippets.ts'

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
