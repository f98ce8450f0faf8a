import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Autonomy, autonomyLevels } from '@wp/contracts'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { agentQuery } from '../shared/queries.ts'
import styles from './automation.module.css'
import { autonomyWords } from './autonomy-words.ts'

/** The choice of what an assistant may do without asking a person. */
export function AutonomyCard({ agentId, autonomy }: { agentId: string; autonomy: Autonomy }) {
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
