import { getRouteApi } from '@tanstack/react-router'
import type { NewApiKey } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { nameOfKey } from '../../names/name-readers.ts'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ListFilters } from '../../ui/filter/list-filters.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { ApiKeyForm } from '../api-keys/api-key-form.tsx'
import { ApiKeyTable } from '../api-keys/api-key-table.tsx'
import { ServicePrincipalForm, type ServicePrincipalValues } from '../service-principals/service-principal-form.tsx'
import { ServicePrincipalTable } from '../service-principals/service-principal-table.tsx'
import {
  type ApiKeySecret,
  ApiKeySecretDialog,
  type PrincipalSecret,
  PrincipalSecretDialog,
} from '../shared/secret-dialogs.tsx'
import { useAllItems } from './use-all-items.ts'

const route = getRouteApi('/$workspaceId/developer')

/** The credentials of programs: API keys, and service principals for those who may see them. */
export function KeysPage() {
  const search = route.useSearch()
  const { create: creating, q } = search
  const navigate = route.useNavigate()
  const can = useCan()
  const [canCreateKeys, isAdmin] = [can('auth:keys'), can('auth:admin')]
  const keys = useAllItems(['api-keys', 'all'], (api, query, options) => api.auth.listApiKeys({ query }, options))
  const principals = useAllItems(
    ['service-principals', 'all'],
    (api, query, options) => api.auth.listServicePrincipals({ query }, options),
    isAdmin,
  )
  const setCreating = (create: typeof creating) => navigate({ search: changeSearch(search, { create }) })
  const contains = (...texts: string[]) =>
    q === undefined || texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))
  return (
    <Page
      title="Developer"
      description="Credentials of programs. An API key is sent with each request; a service principal exchanges its secret for short-lived access tokens."
      actions={
        <>
          {isAdmin && (
            <Button icon="plus" onClick={() => void setCreating('principal')}>
              Create service principal
            </Button>
          )}
          <ScopedButton scope="auth:keys" icon="plus" variant="primary" onClick={() => void setCreating('key')}>
            Create API key
          </ScopedButton>
        </>
      }
    >
      <AreaTabs area="Developer" />
      <Card isFlush>
        <ListFilters
          filters={[{ name: 'q', label: 'Search', placeholder: 'Name, client id, last characters', isSearch: true }]}
        />
      </Card>
      <Card
        isFlush
        title="API keys"
        description={
          isAdmin
            ? 'All of the workspace, sent in the header x-api-key'
            : 'Those that you created, sent in the header x-api-key'
        }
      >
        <ApiKeyTable
          page={keys.filtered((key) => contains(nameOfKey(key), key.last4, key.key_id))}
          isFiltered={q !== undefined}
          {...(canCreateKeys && { onCreate: () => void setCreating('key') })}
        />
      </Card>
      {isAdmin && keys.isLoaded && (
        <Card
          isFlush
          title="Service principals"
          description="For programs whose secret must be rotated without downtime"
        >
          <ServicePrincipalTable
            page={principals.filtered(({ name, client_id, environment }) =>
              contains(name, client_id, environment ?? ''),
            )}
            isFiltered={q !== undefined}
            onCreate={() => void setCreating('principal')}
          />
        </Card>
      )}
      <CreateDialogs creating={creating} setCreating={setCreating} />
    </Page>
  )
}

type Creating = 'key' | 'principal' | undefined

/** The dialogs that create a credential and show its secret. */
function CreateDialogs({
  creating,
  setCreating,
}: {
  creating: Creating
  setCreating: (creating: Creating) => Promise<unknown>
}) {
  const { api, refresh } = useWorkspace()
  const [apiKey, setApiKey] = useState<ApiKeySecret>()
  const [principal, setPrincipal] = useState<PrincipalSecret>()
  const close = () => setCreating(undefined)
  const createKey = async (body: z.infer<typeof NewApiKey>) => {
    const created = await api.auth.createApiKey({ body })
    // First, because the dialog with the key holds navigations back.
    await close()
    setApiKey(created)
    await refresh('api-keys')
  }
  const createPrincipal = async ({ environment, ...values }: ServicePrincipalValues) => {
    const body = { ...values, ...(environment !== null && { environment }) }
    const created = await api.auth.createServicePrincipal({ body })
    await close() // as above
    setPrincipal(created)
    await refresh('service-principals')
  }
  return (
    <>
      <Dialog
        isOpen={creating === 'key'}
        onClose={() => void close()}
        size="wide"
        title="Create an API key"
        description="The key is shown once, after it was created."
      >
        <ApiKeyForm onSubmit={createKey} onCancel={() => void close()} />
      </Dialog>
      <Dialog
        isOpen={creating === 'principal'}
        onClose={() => void close()}
        size="wide"
        title="Create a service principal"
        description="Its client secret is shown once, after it was created."
      >
        <ServicePrincipalForm
          submitLabel="Create service principal"
          onSubmit={createPrincipal}
          onCancel={() => void close()}
        />
      </Dialog>
      {apiKey && <ApiKeySecretDialog secret={apiKey} onClose={() => setApiKey(undefined)} />}
      {principal && <PrincipalSecretDialog secret={principal} onClose={() => setPrincipal(undefined)} />}
    </>
  )
}
