import type { AgentRun } from '@wp/contracts'
import { useResourceNames } from '../../names/resource-names.ts'
import { useApi } from '../../session/workspace-context.tsx'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { Time } from '../../ui/values/values.tsx'
import { AnswerText } from '../answer/answer-text.tsx'
import { ApprovalRequest } from '../answer/approval-request.tsx'
import { Citations } from '../answer/citations.tsx'
import type { ToolCall } from '../answer/message-stream.ts'
import { RunError } from '../answer/run-error.tsx'
import { ToolCallView } from '../answer/tool-call.tsx'
import { describeTool } from '../answer/tool-words.ts'
import { AnswerFeedback } from '../evaluations/answer-feedback.tsx'
import { isInProgress } from '../shared/states.ts'

/** The input, the steps and the answer of a run, with the approvals that it waits for. */
export function RunResult({ run, onChanged }: { run: AgentRun; onChanged: () => void }) {
  const api = useApi()
  const pending = run.approvals.filter(({ status }) => status === 'pending')
  return (
    <>
      {isInProgress(run) &&
        pending.map(({ id, ...call }) => (
          <ApprovalRequest
            key={id}
            call={call}
            onDecide={async (approved, reason) => {
              const body = { approval_id: id, approved, ...(!approved && reason !== '' && { reason }) }
              await api.ai.approveRun({ params: { id: run.id }, body })
              onChanged()
            }}
          />
        ))}
      {run.redacted.length > 0 && (
        <Callout title="Parts are left out">
          The output of tools and the sources need the scope data:read, which you do not have.
        </Callout>
      )}
      <Card title="Input">
        {typeof run.input === 'string' ? <p>{run.input}</p> : <JsonView value={run.input} label="Input" />}
      </Card>
      <Card title="Steps" description="The tool calls of the run, in their order.">
        {run.steps.length === 0 ? (
          <p className="muted">{isInProgress(run) ? 'No tool was called yet.' : 'No tool was called.'}</p>
        ) : (
          <Stack>
            {run.steps.map((step) => (
              <ToolCallView key={step.id} call={toCall(step)} />
            ))}
          </Stack>
        )}
        <Decisions run={run} />
      </Card>
      <Card title="Answer">
        <Stack>
          {run.output === null || run.output === '' ? (
            <p className="muted">{isInProgress(run) ? 'Nothing is written yet.' : 'Nothing was written.'}</p>
          ) : (
            <AnswerText text={run.output} citations={run.citations} />
          )}
          {run.error !== null && <RunError error={run.error} />}
          {run.status === 'cancelled' && <Callout title="The run was cancelled" />}
          {run.warnings.map(({ code, message }) => (
            <Callout key={`${code} ${message}`} tone="warning">
              {message}
            </Callout>
          ))}
          <Citations citations={run.citations} />
          {run.output && !isInProgress(run) && <AnswerFeedback runId={run.id} />}
        </Stack>
      </Card>
    </>
  )
}

const toCall = ({ duration_ms: durationMs, ...step }: AgentRun['steps'][number]): ToolCall => ({ ...step, durationMs })

/** The approvals that were decided, and by whom. */
function Decisions({ run: { approvals } }: { run: AgentRun }) {
  const decided = approvals.filter(({ status }) => status !== 'pending')
  const nameOf = useResourceNames(decided.flatMap(({ decided_by: by }) => (by === null ? [] : [by])))
  if (decided.length === 0) return null
  return (
    <ul className="stack-1 secondary size-table above-3">
      {decided.map(({ id, tool, title, status, decided_by, decided_at }) => (
        <li key={id}>
          {describeTool({ tool, title })}: {status} by {isolate((decided_by && nameOf(decided_by)) ?? 'a person')}{' '}
          <Time value={decided_at} format="absolute" />
        </li>
      ))}
    </ul>
  )
}
