import { IntegrationPatch } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useWorkspace } from '../session/workspace-context.tsx'
import { Checkbox } from '../ui/form/controls.tsx'
import { FieldGroup } from '../ui/form/field.tsx'
import { mergePatch } from '../ui/form/merge-patch.ts'
import { showSuccess } from '../ui/message/toast.ts'
import { Card } from '../ui/page/page.tsx'
import { DraftForm } from '../ui/schema-form/draft-form.tsx'
import { type IntegrationDraft, IntegrationFields, validateDraft } from './integration-fields.tsx'
import type { Integration, Provider } from './queries.ts'

const draftOf = ({ name, config }: Integration): IntegrationDraft => ({ name, config, secrets: {} })

/** Changes an integration. Secrets left empty stay. */
export function EditIntegrationForm({ integration, provider }: { integration: Integration; provider: Provider }) {
  const { api, refresh } = useWorkspace()
  const [draft, setDraft] = useState(() => draftOf(integration))
  const [removed, setRemoved] = useState<readonly string[]>([])
  const save = async (body: z.infer<typeof IntegrationPatch>) => {
    await api.integrations.updateIntegration({ params: { integration_id: integration.integration_id }, body })
    showSuccess('Integration saved')
    await refresh('integrations')
  }
  const isChanged = removed.length > 0 || JSON.stringify(draft) !== JSON.stringify(draftOf(integration))
  const stored = integration.secret_names
  return (
    <DraftForm
      validate={() => validateDraft(IntegrationPatch, toPatch(integration, draft, removed), provider, draft, stored)}
      send={save}
      submitLabel="Save changes"
      disabled={!isChanged}
    >
      {(errors) => (
        <>
          <IntegrationFields provider={provider} draft={draft} onChange={setDraft} errors={errors} stored={stored} />
          {stored.length > 0 && (
            <Card title="Stored secrets" description="Give all of them again when the address changes.">
              <FieldGroup label="Remove">
                {stored.map((name) => (
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
        </>
      )}
    </DraftForm>
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
