import { getRouteApi } from '@tanstack/react-router'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/message.tsx'
import { showError } from '../../ui/message/toast.ts'
import { Page, UnloadedPage } from '../../ui/page/page.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { Stat, Stats, StatusBadge } from '../../ui/values/values.tsx'
import { useAgent } from '../shared/queries.ts'
import { isInProgress } from '../shared/states.ts'
import { ActivateButton } from './activate-button.tsx'
import { type EvaluationDetail, percentOf, useEvaluation, useEvaluationSets } from './evaluation-queries.ts'
import { EvaluationComparison, EvaluationResults } from './evaluation-results.tsx'

const route = getRouteApi('/$workspaceId/agents/evaluations/$evaluationId')

/** One test: what the condition says, the wrong answers first, and the difference from the active version. */
export function EvaluationPage() {
  const { evaluationId } = route.useParams()
  const evaluation = useEvaluation(evaluationId)
  const agentId = evaluation.data?.agent_id
  const { data: sets } = useEvaluationSets()
  const { data: agent } = useAgent(agentId ?? '')
  const parent =
    agentId === undefined
      ? ({ label: 'Assistants', link: { to: '/$workspaceId/agents' } } as const)
      : ({
          label: `Tests of ${agent?.name ?? 'the assistant'}`,
          link: { to: '/$workspaceId/agents/$agentId/evaluations', params: { agentId } },
        } as const)
  if (evaluation.data === undefined) return <UnloadedPage title="Test" parent={parent} {...evaluation} />
  const { data } = evaluation
  const set = sets?.find(({ id }) => id === data.evaluation_set_id)
  const isActive = agent?.version === data.version
  return (
    <Page
      title={`Version ${data.version}, ${set?.name ?? 'a test set'}`}
      status={<StatusBadge status={data.status} />}
      parent={parent}
      actions={
        isInProgress(data) ? (
          <CancelButton id={data.id} />
        ) : (
          agent !== undefined && !isActive && <ActivateButton agentId={data.agent_id} version={data.version} />
        )
      }
    >
      <Summary evaluation={data} />
      <Verdict evaluation={data} isActive={isActive} />
      <EvaluationResults evaluation={data} />
      {data.status === 'finished' && <EvaluationComparison id={data.id} />}
    </Page>
  )
}

function CancelButton({ id }: { id: string }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  if (!can('agents:run')) return null
  const cancel = async () => {
    await api.agents.cancelEvaluation({ params: { id } }).catch(showError)
    await refresh('evaluations')
  }
  return (
    <Button icon="stop" onClick={() => void cancel()}>
      Cancel
    </Button>
  )
}

function Summary({ evaluation: { summary, usage, status, progress, error } }: { evaluation: EvaluationDetail }) {
  const { cases, passed, failed, errors, pass_rate: rate, average_ms: averageMs } = summary
  return (
    <>
      <Stats>
        <Stat label="Good answers" value={rate === null ? '–' : percentOf(rate)} note={`${passed} of ${cases}`} />
        <Stat label="Wrong" value={formatNumber(failed)} />
        <Stat label="Without an answer" value={formatNumber(errors)} />
        <Stat label="Time of an answer" value={averageMs === null ? '–' : formatDuration(averageMs)} />
        <Stat label="Tokens" value={formatNumber(usage.total_tokens)} />
      </Stats>
      {isInProgress({ status }) && (
        <Progress value={progress} label={`${passed + failed + errors} of ${cases} answers`} />
      )}
      {error !== null && <Callout tone="danger" title={error.message} />}
    </>
  )
}

function Verdict({
  evaluation: { gate, status, version },
  isActive,
}: {
  evaluation: EvaluationDetail
  isActive: boolean
}) {
  if (gate === null || status !== 'finished') return null
  if (gate.passes)
    return (
      <Callout
        tone="success"
        title={isActive ? 'The active version meets the condition' : `Version ${version} may become active`}
      />
    )
  return (
    <Callout
      tone="danger"
      title={
        isActive ? 'The active version does not meet the condition' : `Version ${version} is kept from becoming active`
      }
    >
      <ul>
        {gate.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Callout>
  )
}
