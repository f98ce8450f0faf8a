import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Button, Icon, IconButton } from '../ui/button/button.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { formatDuration } from '../ui/format/format.ts'
import { Menu } from '../ui/menu/menu.tsx'
import { Callout, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../ui/page/page.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../ui/values/values.tsx'
import { DeleteIntegrationDialog } from './delete-integration-dialog.tsx'
import { EditIntegrationForm } from './edit-integration-form.tsx'
import styles from './integrations.module.css'
import { type Integration, integrationQuery, integrationsKey, providersQuery, type TestResult } from './queries.ts'

const route = getRouteApi('/$workspaceId/integrations/$integrationId')

/** An integration: its state, a test, its settings and what uses it. */
export function IntegrationPage() {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const { integrationId } = route.useParams()
  const { data: integration, error, refetch } = useQuery(integrationQuery(api, workspaceId, integrationId))
  const { data: providers } = useQuery(providersQuery(api, workspaceId))
  const test = useTest(integrationId)
  const provider = providers?.items.find((entry) => entry.provider === integration?.provider)
  const parent = { label: 'Integrations', link: { to: '/$workspaceId/integrations' } } as const
  if (error || integration === undefined)
    return <UnloadedPage title="Integration" parent={parent} error={error} refetch={refetch} />
  const canWrite = can('integrations:write')
  return (
    <Page
      title={integration.name}
      parent={parent}
      status={<StatusBadge status={integration.status} />}
      description={provider?.description}
      actions={canWrite && <IntegrationActions integration={integration} test={test} />}
      isNarrow
    >
      <div role="status" className={styles.status}>
        {test.data && <TestOutcome result={test.data} />}
      </div>
      {test.error && <ErrorMessage error={test.error} />}
      {integration.last_error && test.data === undefined && (
        <Callout tone="danger" title="The last use failed">
          {integration.last_error.message} · <Time value={integration.last_error.at} />
        </Callout>
      )}
      <Card title="Overview">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={integration.integration_id} />],
            ['Provider', provider?.name ?? integration.provider],
            ['Last check', <Time key="checked" value={integration.last_checked_at} />],
            ['Created', <Time key="created" value={integration.created_at} format="absolute" />],
            ['Changed', <Time key="changed" value={integration.updated_at} format="absolute" />],
            integration.external_id !== null && ['External id', integration.external_id],
          ]}
        />
      </Card>
      <IntegrationUses integrationId={integrationId} provider={integration.provider} />
      {provider && canWrite && (
        <EditIntegrationForm key={integration.updated_at} integration={integration} provider={provider} />
      )}
    </Page>
  )
}

function useTest(integrationId: string) {
  const { api, refresh } = useWorkspace()
  return useMutation({
    mutationFn: () => api.integrations.testIntegration({ params: { integration_id: integrationId } }),
    onSettled: () => refresh('integrations'),
  })
}

const TestOutcome = ({ result: { ok, error, latency_ms } }: { result: TestResult }) =>
  ok ? (
    <Callout tone="success" title="The test succeeded">
      Connected and authenticated in {formatDuration(latency_ms)}.
    </Callout>
  ) : (
    <Callout tone="danger" title={`The test failed${error ? `: ${error.code.replaceAll('_', ' ')}` : ''}`}>
      {error?.message}
    </Callout>
  )

function IntegrationActions({ integration, test }: { integration: Integration; test: ReturnType<typeof useTest> }) {
  const { api, refresh } = useWorkspace()
  const [isDeleting, setDeleting] = useState(false)
  const isDisconnected = integration.status === 'disconnected'
  const setStatus = useMutation({
    mutationFn: (status: 'disconnected' | 'pending') =>
      api.integrations.updateIntegration({ params: { integration_id: integration.integration_id }, body: { status } }),
    onSuccess: ({ status }) => {
      showSuccess(status === 'disconnected' ? 'Integration disconnected' : 'Integration enabled; test it to connect')
      test.reset()
      return refresh('integrations')
    },
    onError: showError,
  })
  return (
    <>
      <Button icon="bolt" isBusy={test.isPending} disabled={isDisconnected} onClick={() => test.mutate()}>
        Test
      </Button>
      <Menu
        trigger={
          <IconButton label={`Actions of ${integration.name}`}>
            <Icon name="more" />
          </IconButton>
        }
        entries={[
          {
            label: isDisconnected ? 'Enable' : 'Disconnect',
            icon: isDisconnected ? 'play' : 'stop',
            onSelect: () => setStatus.mutate(isDisconnected ? 'pending' : 'disconnected'),
          },
          'separator',
          { label: 'Delete integration', icon: 'trash', isDangerous: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteIntegrationDialog integration={integration} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}

/** Lists the users of an integration: data sources, and the embeddings of the workspace. */
function IntegrationUses({ integrationId, provider }: { integrationId: string; provider: Integration['provider'] }) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const { data, error } = useQuery({
    queryKey: [...integrationsKey(workspaceId), 'uses', integrationId],
    enabled: can('data:read'),
    queryFn: async ({ signal }) => {
      const [sources, embedding] = await Promise.all([
        api.data.listSources({ query: { integration_id: integrationId, limit: 100 } }, { signal }),
        provider === 'openai_compatible' ? api.data.getEmbedding({}, { signal }) : undefined,
      ])
      return { sources: sources.items, embeds: embedding?.integration_id === integrationId }
    },
  })
  if (!can('data:read')) return null
  return (
    <Card title="Used by data">
      {error ? (
        <ErrorMessage error={error} />
      ) : data === undefined ? (
        <Skeleton />
      ) : data.sources.length === 0 && !data.embeds ? (
        <p className="secondary">No data source reads through it, and no records are embedded with it.</p>
      ) : (
        <ul className="stack-2">
          {data.embeds && (
            <li>
              <Link to="/$workspaceId/data">Search by meaning</Link>
            </li>
          )}
          {data.sources.map(({ data_source_id: sourceId, name }) => (
            <li key={sourceId}>
              <Link to="/$workspaceId/data/$sourceId" params={{ sourceId }}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
