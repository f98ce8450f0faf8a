import { getRouteApi } from '@tanstack/react-router'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Skeleton } from '../../ui/message/message.tsx'
import { Card } from '../../ui/page/page.tsx'
import { useAgent } from '../shared/queries.ts'
import { AutonomyCard } from './autonomy-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { TriggersCard, useTriggers } from './triggers-card.tsx'

const route = getRouteApi('/$workspaceId/agents/$agentId/automation')

/** The tab that says when an assistant runs by itself, what it may do without asking, and what it may use. */
export function AgentAutomation() {
  const { agentId } = route.useParams()
  const { data: agent } = useAgent(agentId)
  const triggers = useTriggers(agentId)
  if (agent === undefined) return null
  // The cards below are shown once it is known where they are.
  if (triggers.isLoading)
    return (
      <Card title="Runs by itself">
        <Skeleton height="30rem" />
      </Card>
    )
  return (
    <>
      <TriggersCard agent={agent} />
      <AutonomyCard agentId={agentId} autonomy={agent.autonomy} />
      <AgentBudgetCard agentId={agentId} />
    </>
  )
}

function AgentBudgetCard({ agentId }: { agentId: string }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  const params = { agent_id: agentId }
  const { data, error, refetch } = useApiQuery(['agents', agentId, 'budget'], (client, options) =>
    client.agents.getAgentBudget({ params }, options),
  )
  return (
    <BudgetCard
      title="Budget"
      description="Holds for all runs of this assistant, those of chats included. A day is one of UTC."
      data={data}
      error={error}
      onRetry={() => void refetch()}
      save={
        can('agents:write')
          ? async (budget) => {
              await api.agents.updateAgent({ params, body: { budget } })
              await refresh('agents', agentId)
            }
          : undefined
      }
    />
  )
}
