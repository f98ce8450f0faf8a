import { getRouteApi } from '@tanstack/react-router'
import type { AgentRun } from '@wp/contracts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { DefinitionList, Id, Stat, Stats, StatusBadge, Time } from '../../ui/values/values.tsx'
import { Loading } from '../answer/run-error.tsx'
import { describeUsage } from '../playground/answer-view.tsx'
import { useAgents } from '../shared/queries.ts'
import { isInProgress, pollMs } from '../shared/states.ts'
import { RunEvents } from './run-events.tsx'
import { RunResult } from './run-result.tsx'
import { duration } from './runs-table.tsx'

const route = getRouteApi('/$workspaceId/agents/runs/$runId')

/** One run: what was asked, each step, the answer, and what it used. */
export function RunPage() {
  const { runId } = route.useParams()
  const run = useApiQuery(['agent-runs', runId], (api, options) => api.ai.getRun({ params: { id: runId } }, options), {
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? pollMs : false),
  })
  const { data: agents, isLoading: isNaming } = useAgents()
  const parent = { label: 'Runs', link: { to: '/$workspaceId/agents/runs' } } as const
  // A title that gets its name later would move the page.
  if (run.data === undefined || (isNaming && run.data.agent_id !== null))
    return (
      <Page title="Run" parent={parent}>
        {run.error ? <ErrorMessage error={run.error} onRetry={() => void run.refetch()} /> : <Loading />}
      </Page>
    )
  const agentId = run.data.agent_id
  const agentName = agents?.find(({ agent_id }) => agent_id === agentId)?.name
  return (
    <Page
      title={agentId === null ? 'Run of a chat' : `Run of ${agentName ?? 'an agent'}`}
      status={<StatusBadge status={displayStatus(run.data)} />}
      parent={parent}
      actions={<CancelRun run={run.data} />}
    >
      <RunStats run={run.data} />
      <RunResult run={run.data} onChanged={() => void run.refetch()} />
      <RunFacts run={run.data} agentName={agentName} />
      <RunEvents runId={runId} isInProgress={isInProgress(run.data)} />
    </Page>
  )
}

/** A run that waits for a person is queued for the API. */
const displayStatus = ({ status, approvals }: AgentRun): string =>
  status === 'queued' && approvals.some((approval) => approval.status === 'pending') ? 'awaiting_approval' : status

function RunStats({ run }: { run: AgentRun }) {
  const { usage, steps, citations } = run
  return (
    <Stats>
      <Stat label="Duration" value={duration(run)} note={<Time value={run.created_at} format="absolute" />} />
      <Stat label="Tool calls" value={formatNumber(steps.length)} />
      <Stat label="Citations" value={formatNumber(citations.length)} />
      <Stat
        label="Tokens"
        value={`${usage.estimated ? '~' : ''}${formatNumber(usage.total_tokens)}`}
        note={describeUsage(usage)}
      />
    </Stats>
  )
}

function RunFacts({ run, agentName }: { run: AgentRun; agentName: string | undefined }) {
  const { agent_id: agentId, conversation_id: conversationId } = run
  return (
    <Card title="Details">
      <Stack>
        <DefinitionList
          items={[
            ['Run', <Id key="run" value={run.id} />],
            agentId !== null && [
              'Assistant',
              agentName === undefined ? (
                <Id key="agent" value={agentId} />
              ) : (
                <Link key="agent" to="/$workspaceId/agents/$agentId" params={{ agentId }}>
                  {agentName}
                </Link>
              ),
            ],
            run.agent_version !== null && ['Version', run.agent_version],
            conversationId !== null && [
              'Conversation',
              <Link
                key="conversation"
                to="/$workspaceId/agents/conversations"
                search={{ conversation: conversationId }}
              >
                Open the conversation
              </Link>,
            ],
            ['Created', <Time key="created" value={run.created_at} format="absolute" />],
            ['Started', <Time key="started" value={run.started_at} format="absolute" />],
            ['Ended', <Time key="ended" value={run.finished_at} format="absolute" />],
            run.external_id !== null && ['External id', <Id key="external" value={run.external_id} />],
          ]}
        />
        {Object.keys(run.metadata).length > 0 && <JsonView value={run.metadata} label="Metadata" />}
      </Stack>
    </Card>
  )
}

function CancelRun({ run }: { run: AgentRun }) {
  const { api, refresh } = useWorkspace()
  const can = useCan()
  if (!isInProgress(run)) return null
  const cancel = async () => {
    await api.ai.cancelRun({ params: { id: run.id } })
    await refresh('agent-runs')
    showSuccess('The run was cancelled')
  }
  return (
    <ConfirmedAction
      control={(ask) => (
        <Button icon="stop" disabled={!can('agents:run')} onClick={ask}>
          Cancel
        </Button>
      )}
      title="Cancel this run?"
      confirmLabel="Cancel the run"
      onConfirm={cancel}
    >
      The request to the model is aborted. What was written until now stays readable.
    </ConfirmedAction>
  )
}
