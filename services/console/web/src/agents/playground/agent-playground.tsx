import { getRouteApi } from '@tanstack/react-router'
import { useAgent } from '../shared/queries.ts'
import { PlaygroundView } from './playground-view.tsx'

const route = getRouteApi('/$workspaceId/agents/$agentId/')

/** The tab where an agent is tried. */
export function AgentPlayground() {
  const { agentId } = route.useParams()
  const { data: agent } = useAgent(agentId)
  return agent === undefined ? null : <PlaygroundView key={`${agentId} ${agent.version}`} agent={agent} />
}
