import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NewIntegration } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { MissingScopeNotice } from '../session/missing-scope-notice.tsx'
import { useWorkspace } from '../session/workspace-context.tsx'
import { Icon, type IconName } from '../ui/button/button.tsx'
import { ButtonLink, Link } from '../ui/button/button-link.tsx'
import { Unloaded } from '../ui/message/message.tsx'
import { showError } from '../ui/message/toast.ts'
import { Page } from '../ui/page/page.tsx'
import { DraftForm } from '../ui/schema-form/draft-form.tsx'
import { type IntegrationDraft, IntegrationFields, validateDraft } from './integration-fields.tsx'
import styles from './integrations.module.css'
import { type IntegrationProvider, type Provider, providersQuery } from './queries.ts'

const route = getRouteApi('/$workspaceId/integrations/new')

const icons: Readonly<Record<IntegrationProvider, IconName>> = {
  http: 'external',
  postgres: 'data',
  s3: 'download',
  smtp: 'bell',
  slack: 'chat',
  openai_compatible: 'bolt',
  mcp_server: 'robot',
  google: 'building',
  github: 'people',
}

/** The catalogue of providers, and the form of the chosen one. */
export function NewIntegrationPage() {
  const { api, workspaceId } = useWorkspace()
  const { provider } = route.useSearch()
  const { data: providers, error, refetch } = useQuery(providersQuery(api, workspaceId))
  const chosen = providers?.items.find((entry) => entry.provider === provider)
  if (chosen) return <NewIntegrationForm key={chosen.provider} provider={chosen} />
  return (
    <Page
      title="Connect an integration"
      description="Choose a provider. Nothing is sent to it before you have given address and credential."
      parent={{ label: 'Integrations', link: { to: '/$workspaceId/integrations' } }}
    >
      <MissingScopeNotice action="connect integrations" scope="integrations:write" />
      {error || providers === undefined ? (
        <Unloaded error={error} refetch={refetch} height="16rem" />
      ) : (
        <ul className={styles.catalogue}>
          {providers.items.map(({ provider: name, name: label, description }) => (
            <li key={name}>
              <Link to="/$workspaceId/integrations/new" search={{ provider: name }} className="choice-card">
                <span className={styles.icon}>
                  <Icon name={icons[name]} size={20} />
                </span>
                <strong>{label}</strong>
                <span className="secondary size-table">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function NewIntegrationForm({ provider }: { provider: Provider }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<IntegrationDraft>({ name: provider.name, config: {}, secrets: {} })
  const create = async (body: z.infer<typeof NewIntegration>) => {
    const { integration_id: integrationId } = await api.integrations.createIntegration({ body })
    // A failed test is part of the integration; its page shows it.
    await api.integrations.testIntegration({ params: { integration_id: integrationId } }).catch(showError)
    await refresh('integrations')
    await navigate({ to: '/$workspaceId/integrations/$integrationId', params: { workspaceId, integrationId } })
  }
  return (
    <Page
      title={`Connect ${provider.name}`}
      description={provider.description}
      parent={{ label: 'Providers', link: { to: '/$workspaceId/integrations/new' } }}
      isNarrow
    >
      <DraftForm
        validate={() => validateDraft(NewIntegration, { ...draft, provider: provider.provider }, provider, draft)}
        send={create}
        submitLabel="Create and test"
        actions={<ButtonLink to="/$workspaceId/integrations">Cancel</ButtonLink>}
      >
        {(errors) => (
          <IntegrationFields provider={provider} draft={draft} onChange={setDraft} errors={errors} stored={[]} />
        )}
      </DraftForm>
    </Page>
  )
}
