import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IntegrationPatch } from '@wp/contracts'
import { useState } from 'react'
import { useApi, useWorkspaceId } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { Checkbox } from '../ui/form/controls.tsx'
import { FieldGroup, FormActions } from '../ui/form/field.tsx'
import { mergePatch } from '../ui/form/merge-patch.ts'
import { ErrorMessage } from '../ui/message/error-message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Card } from '../ui/page/page.tsx'
import { serverFieldErrors, useFocusFirstError, validateBody } from '../ui/schema-form/body-errors.ts'
import type { FieldErrors } from '../ui/schema-form/json-schema.ts'
import formStyles from '../ui/schema-form/schema-form.module.css'
import { type IntegrationDraft, IntegrationFields, validateByProvider } from './integration-fields.tsx'
import { type Integration, integrationsKey, type Provider } from './queries.ts'

const draftOf = ({ name, config }: Integration): IntegrationDraft => ({ name, config, secrets: {} })

/** Changes an integration. Secrets left empty stay. */
export function EditIntegrationForm({ integration, provider }: { integration: Integration; provider: Provider }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(integration))
  const [removed, setRemoved] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<FieldErrors>(new Map())
  const form = useFocusFirstError(errors)
  const save = useMutation({
    mutationFn: async () => {
      const { body, errors: found } = validateBody(IntegrationPatch, toPatch(integration, draft, removed))
      const all = new Map([...validateByProvider(provider, draft, integration.secret_names), ...found])
      setErrors(all)
      if (body === undefined || all.size > 0) return undefined
      return api.integrations.updateIntegration({ params: { integration_id: integration.integration_id }, body })
    },
    onSuccess: async (saved) => {
      if (saved === undefined) return
      showSuccess('Integration saved')
      await client.invalidateQueries({ queryKey: integrationsKey(workspaceId) })
    },
    onError: (error) => setErrors(serverFieldErrors(error)),
  })
  const isChanged = removed.length > 0 || JSON.stringify(draft) !== JSON.stringify(draftOf(integration))
  return (
    <form
      ref={form}
      noValidate
      className={formStyles.fields}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <IntegrationFields
        provider={provider}
        draft={draft}
        onChange={setDraft}
        errors={errors}
        stored={integration.secret_names}
      />
      {integration.secret_names.length > 0 && (
        <Card title="Stored secrets" description="Give all of them again when the address changes.">
          <FieldGroup label="Remove">
            {integration.secret_names.map((name) => (
              <Checkbox
                key={name}
                label={<code>{name}</code>}
                checked={removed.includes(name)}
                onChange={({ target }) =>
                  setRemoved(target.checked ? [...removed, name] : removed.filter((other) => other !== name))
                }
              />
            ))}
          </FieldGroup>
        </Card>
      )}
      {save.error && <ErrorMessage error={save.error} />}
      <FormActions>
        <Button type="submit" variant="primary" isBusy={save.isPending} disabled={!isChanged}>
          Save changes
        </Button>
      </FormActions>
    </form>
  )
}

function toPatch({ name, config }: Integration, draft: IntegrationDraft, removed: readonly string[]) {
  const secrets = { ...Object.fromEntries(removed.map((secret) => [secret, null])), ...draft.secrets }
  return {
    ...(draft.name !== name && { name: draft.name }),
    config: mergePatch(config, draft.config),
    ...(Object.keys(secrets).length > 0 && { secrets }),
  }
}
