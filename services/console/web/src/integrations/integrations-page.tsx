import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { sessionQuery } from '../session/session.ts'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { ListPage } from '../shell/list-page.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { CodeBlock } from '../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import { type Integration, integrationProviders, integrationStates, providersQuery } from './queries.ts'

const route = getRouteApi('/$workspaceId/integrations')

/** The integrations of the workspace with outside providers. */
export function IntegrationsPage() {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const search = route.useSearch()
  const { data: providers } = useQuery(providersQuery(api, workspaceId))
  const { data, error, refetch } = useApiQuery(
    ['integrations', 'list', search],
    (api, options) => api.integrations.listIntegrations({ query: search }, options),
    { placeholderData: keepPreviousData },
  )
  const nameOf = (provider: string) => providers?.items.find((entry) => entry.provider === provider)?.name ?? provider
  const columns: readonly Column<Integration>[] = [
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Provider', cell: ({ provider }) => nameOf(provider) },
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Last check', cell: ({ last_checked_at }) => <Time value={last_checked_at} /> },
    { header: 'Last error', cell: ({ last_error }) => last_error?.message ?? '–' },
  ]
  const isFiltered = search.provider !== undefined || search.status !== undefined || search.search !== undefined
  return (
    <ListPage
      title="Integrations"
      description="Credentials and addresses of outside services, kept sealed. Sources, agents, notifications and search use them."
      actions={
        can('integrations:write') && (
          <ButtonLink icon="plus" variant="primary" to="/$workspaceId/integrations/new">
            Connect
          </ButtonLink>
        )
      }
      filters={
        (isFiltered || (data && data.items.length > 0)) && [
          { name: 'search', label: 'Search', placeholder: 'Part of the name', isSearch: true },
          {
            name: 'provider',
            label: 'Provider',
            options: integrationProviders.map((value) => ({ value, label: nameOf(value) })),
          },
          { name: 'status', label: 'Status', options: integrationStates },
        ]
      }
    >
      <PagedTable
        columns={columns}
        page={{ data, error, refetch }}
        noun="integrations"
        rowKey={({ integration_id }) => integration_id}
        rowLink={({ integration_id: integrationId }) => ({
          to: '/$workspaceId/integrations/$integrationId',
          params: { integrationId },
        })}
        empty={isFiltered ? <EmptyState icon="filter" title="No integration matches" /> : <NoIntegrations />}
      />
    </ListPage>
  )
}

function NoIntegrations() {
  const { data: session } = useQuery(sessionQuery)
  const code = `curl ${session?.public_base_url ?? ''}/v1/integrations/integrations \\
  -H "x-api-key: $API_KEY" -H "content-type: application/json" \\
  -d '{"provider": "postgres", "name": "Warehouse",
       "config": {"host": "db.example.com", "database": "app", "user": "reader"},
       "secrets": {"password": "…"}}'`
  return (
    <EmptyState
      icon="plug"
      title="No integrations yet"
      actions={
        <ButtonLink variant="primary" to="/$workspaceId/integrations/new">
          Connect a provider
        </ButtonLink>
      }
      snippet={<CodeBlock label="curl" code={code} />}
    >
      Connect a database, a bucket, a language model or a mail server. Or by the API:
    </EmptyState>
  )
}
