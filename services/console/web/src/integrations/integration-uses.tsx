import { useQuery } from '@tanstack/react-query'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import { type Integration, integrationsKey } from './queries.ts'

/** Lists the users of an integration: data sources, and the embeddings of the workspace. */
export function IntegrationUses({
  integrationId,
  provider,
}: {
  integrationId: string
  provider: Integration['provider']
}) {
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
