import type { ReactNode } from 'react'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { Input, Radio } from '../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../ui/form/field.tsx'
import { Callout } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { verifySnippets } from '../shared/snippets.ts'

/** A choice of the signing secret: generated, given, or none. */
export interface SecretChosen {
  isGenerated: boolean
  secret: string | undefined
}

/** Shorter secrets can be guessed; the platform accepts them with a warning. */
const minSecretLength = 16

/** Chooses the signing secret of a new subscription, with the consequence of each choice. */
export function SecretChoice({
  secret,
  isGenerated,
  error,
  onChange,
}: SecretChosen & { error?: string | undefined; onChange: (choice: SecretChosen) => void }) {
  const isOwn = !isGenerated && secret !== undefined
  return (
    <FieldGroup label="Signing secret">
      <Stack>
        <Radio
          name="secret"
          label="Generate a strong secret"
          hint="Recommended. It is shown after the creation; users who sign in can reveal it again"
          checked={isGenerated}
          onChange={() => onChange({ isGenerated: true, secret: undefined })}
        />
        <Radio
          name="secret"
          label="Use my own"
          hint="For a receiver that is configured already"
          checked={isOwn}
          onChange={() => onChange({ isGenerated: false, secret: '' })}
        />
        {isOwn && (
          <Field
            label="Secret"
            hint="1 to 256 printable ASCII characters. After whsec_ the rest must be base64 of 24 to 64 bytes."
            error={error}
          >
            <Input
              isMono
              autoComplete="off"
              value={secret}
              onChange={(event) => onChange({ isGenerated: false, secret: event.target.value })}
            />
          </Field>
        )}
        {isOwn && secret !== '' && secret.length < minSecretLength && (
          <Callout tone="warning">Secrets of fewer than {minSecretLength} characters can be guessed.</Callout>
        )}
        <Radio
          name="secret"
          label="No secret"
          hint="Deliveries are not signed"
          checked={!isGenerated && !isOwn}
          onChange={() => onChange({ isGenerated: false, secret: undefined })}
        />
        {!isGenerated && !isOwn && (
          <Callout tone="warning" title="Anyone who knows the address can forge deliveries">
            Without a signature the receiver cannot tell the platform from others. Choose this only if another layer
            authenticates the requests.
          </Callout>
        )}
      </Stack>
    </FieldGroup>
  )
}

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
    revealHint="Your receiver verifies signatures with it. You can reveal it again: “Reveal the secret” among the actions of the webhook."
    onClose={onClose}
  >
    {children}
  </SecretDialog>
)
