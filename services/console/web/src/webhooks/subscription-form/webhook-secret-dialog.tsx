import type { ReactNode } from 'react'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { verifySnippets } from '../shared/snippets.ts'

/** Shows a new signing secret, with a verification of the signature. */
export const WebhookSecretDialog = ({
  title,
  secret,
  children,
  onClose,
}: {
  title: string
  secret: string
  children?: ReactNode
  onClose: () => void
}) => (
  <SecretDialog
    title={title}
    values={[{ label: 'Signing secret', variable: 'WEBHOOK_SECRET', value: secret, isSecret: true }]}
    fileName="webhook.env"
    snippets={verifySnippets()}
    onClose={onClose}
  >
    {children}
  </SecretDialog>
)
