import { getRouteApi } from '@tanstack/react-router'
import { PlaygroundView } from './playground-view.tsx'
import { useAgent } from './queries.ts'

const route = getRouteApi('/$workspaceId/agents/$agentId/')

/** The tab where an agent is tried. */
export function AgentPlayground() {
  const { agentId } = route.useParams()
  const { data: agent } = useAgent(agentId)
  return agent === undefined ? null : <PlaygroundView key={`${agentId} ${agent.version}`} agent={agent} />
}
