import { getRouteApi } from '@tanstack/react-router'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { Loading } from '../answer/run-error.tsx'
import { ActivateButton } from '../evaluations/activate-button.tsx'
import { useAgent } from '../shared/queries.ts'
import { VersionList } from '../shared/version-list.tsx'

const route = getRouteApi('/$workspaceId/agents/$agentId/versions')

/** The versions of an agent with their differences. */
export function AgentVersions() {
  const { agentId } = route.useParams()
  const { cursor } = route.useSearch()
  const { data: agent } = useAgent(agentId)
  const versions = useApiQuery(['agents', agentId, 'versions', cursor], (api, options) =>
    api.agents.listAgentVersions({ params: { agent_id: agentId }, query: { limit: 20, cursor } }, options),
  )
  if (versions.error) return <ErrorMessage error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Loading />
  const { items, nextCursor } = versions.data
  return (
    <Card title="Versions" description="Every change of the behaviour is a version. Runs keep theirs." isFlush>
      <VersionList
        versions={items}
        current={agent?.version}
        action={(version) => <ActivateButton agentId={agentId} version={version} size="small" />}
      />
      <Pager nextCursor={nextCursor} shown={items.length} noun="versions" />
    </Card>
  )
}
