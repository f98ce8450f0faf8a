import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Autonomy, autonomyLevels } from '@wp/contracts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Skeleton } from '../../ui/message/message.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { agentQuery, useAgent } from '../shared/queries.ts'
import styles from './automation.module.css'
import { autonomyWords } from './autonomy-words.ts'
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

/** The choice of what an assistant may do without asking a person. */
function AutonomyCard({ agentId, autonomy }: { agentId: string; autonomy: Autonomy }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const canWrite = useCan()('agents:write')
  const change = useMutation({
    mutationFn: (next: Autonomy) => api.agents.updateAgent({ params: { agent_id: agentId }, body: { autonomy: next } }),
    onSuccess: (agent) => {
      queryClient.setQueryData(agentQuery(api, workspaceId, agentId).queryKey, agent)
      showSuccess(`Autonomy: ${autonomyWords[agent.autonomy].label.toLowerCase()}`)
    },
    onError: showError,
  })
  const shown = change.isPending ? change.variables : autonomy
  return (
    <Card title="Autonomy" description="What needs the approval of a person. A lower level counts at once.">
      <fieldset className={styles.levels} disabled={!canWrite || change.isPending}>
        <legend className={styles.hidden}>Autonomy</legend>
        {autonomyLevels.map((level) => (
          <label key={level} className={styles.level}>
            <input
              type="radio"
              name="autonomy"
              checked={shown === level}
              onChange={() => change.mutate(level)}
              aria-describedby={`autonomy-${level}`}
            />
            <span className="strong">{autonomyWords[level].label}</span>
            <span id={`autonomy-${level}`} className={styles.levelText}>
              <span>{autonomyWords[level].summary}</span>
              <span>
                <b>May</b> {autonomyWords[level].may}.
              </span>
              <span>
                <b>Asks before</b> {autonomyWords[level].asks}.
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
