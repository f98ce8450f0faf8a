import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { useApi, useApiQuery, useCan, useRefresh, useWorkspaceId } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FilterBar, SelectFilter } from '../../ui/form/filter-bar.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { type PrincipalSecret, PrincipalSecretDialog } from '../shared/secret-dialogs.tsx'
import { ServicePrincipalForm, type ServicePrincipalValues } from './service-principal-form.tsx'
import { ServicePrincipalTable } from './service-principal-table.tsx'

const route = getRouteApi('/$workspaceId/developer')

/** The service principals of the workspace. Users who may not see them come to their API keys. */
export function ServicePrincipalsPage() {
  const workspaceId = useWorkspaceId()
  if (!useCan()('auth:admin')) return <Navigate to="/$workspaceId/developer/keys" params={{ workspaceId }} replace />
  return <ServicePrincipals />
}

function ServicePrincipals() {
  const search = route.useSearch()
  const { create: isCreating = false, ...filters } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const refresh = useRefresh()
  const [secret, setSecret] = useState<PrincipalSecret>()
  const page = useApiQuery(['service-principals', filters], (api, options) =>
    api.auth.listServicePrincipals({ query: filters }, options),
  )
  const setFilter = (change: Parameters<typeof changeSearch<typeof search>>[1]) =>
    void navigate({ search: changeSearch(search, { cursor: undefined, ...change }), replace: true })
  const setCreating = (create: true | undefined) => navigate({ search: changeSearch(search, { create }) })
  const create = async ({ environment, ...values }: ServicePrincipalValues) => {
    const body = { ...values, ...(environment !== null && { environment }) }
    const created = await api.auth.createServicePrincipal({ body })
    // First, because the dialog with the secret holds navigations back.
    await setCreating(undefined)
    setSecret(created)
    await refresh('service-principals')
  }
  const isFiltered = filters.status !== undefined || filters.environment !== undefined
  return (
    <Page
      title="Developer"
      description="Credentials of programs. A service principal exchanges its secret for short-lived access tokens; an API key is sent with each request."
      actions={
        <Button variant="primary" onClick={() => void setCreating(true)}>
          <Icon name="plus" size={16} />
          Create service principal
        </Button>
      }
    >
      <AreaTabs area="Developer" />
      <Card isFlush>
        <FilterBar onClear={isFiltered ? () => setFilter({ status: undefined, environment: undefined }) : undefined}>
          <SelectFilter
            label="Status"
            value={filters.status}
            options={['active', 'disabled']}
            onChange={(status) => setFilter({ status: status as typeof filters.status })} // one of the options
          />
          <SelectFilter
            label="Environment"
            value={filters.environment}
            options={['production', 'sandbox', 'development']}
            onChange={(environment) => setFilter({ environment: environment as typeof filters.environment })} // one of the options
          />
        </FilterBar>
        <ServicePrincipalTable
          page={page}
          cursor={filters.cursor}
          isFiltered={isFiltered}
          onCreate={() => void setCreating(true)}
        />
      </Card>
      <Dialog
        isOpen={isCreating}
        onClose={() => void setCreating(undefined)}
        size="wide"
        title="Create a service principal"
        description="Its client secret is shown once, after it was created."
      >
        <ServicePrincipalForm
          submitLabel="Create service principal"
          onSubmit={create}
          onCancel={() => void setCreating(undefined)}
        />
      </Dialog>
      {secret && <PrincipalSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}
