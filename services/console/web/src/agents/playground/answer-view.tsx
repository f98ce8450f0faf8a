import type { Usage } from '@wp/contracts'
import { Link } from '../../ui/button/button-link.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { AnswerText } from '../answer/answer-text.tsx'
import { ApprovalRequest } from '../answer/approval-request.tsx'
import { Citations } from '../answer/citations.tsx'
import { type Answer, isWaiting } from '../answer/message-stream.ts'
import { RunError } from '../answer/run-error.tsx'
import { ToolCallView } from '../answer/tool-call.tsx'
import { AnswerFeedback } from '../evaluations/answer-feedback.tsx'
import styles from './playground.module.css'

/** An answer: texts, tool calls and approvals in their order, then its sources or its error. */
export function AnswerView({
  answer,
  onDecide,
}: {
  answer: Answer
  onDecide: (callId: string, isApproved: boolean, reason: string) => Promise<unknown>
}) {
  const { parts, citations, status, error } = answer
  const last = parts.at(-1)
  const isWriting = status === 'running' && last?.type === 'text'
  return (
    <div className={styles.answer}>
      {parts.map((part, index) => {
        if (part.type === 'text') return <AnswerText key={`${index + 1}`} text={part.text} citations={citations} />
        const { call } = part
        if (call.status !== 'waiting') return <ToolCallView key={call.id} call={call} />
        return (
          <ApprovalRequest
            key={call.id}
            call={call}
            onDecide={(isApproved, reason) => onDecide(call.id, isApproved, reason)}
          />
        )
      })}
      {status === 'running' && !isWriting && !isWaiting(answer) && (
        <div className={styles.thinking}>
          <span className={styles.dot} aria-hidden="true" />
          {last?.type === 'tool' ? 'Working' : 'Thinking'}
        </div>
      )}
      {status === 'cancelled' && <p className={styles.hint}>You stopped this answer.</p>}
      {error !== undefined && <RunError error={error} />}
      <Citations citations={citations} />
    </div>
  )
}

/** The facts of a run below its answer: tokens, duration, and the way to its page. */
export function AnswerFacts({
  runId,
  usage,
  durationMs,
}: {
  runId: string | undefined
  usage: Usage | undefined
  durationMs: number | undefined
}) {
  return (
    <div className={styles.meta}>
      {durationMs !== undefined && <span>{formatDuration(durationMs)}</span>}
      {usage && <span>{describeUsage(usage)}</span>}
      {runId !== undefined && (
        <Link to="/$workspaceId/agents/runs/$runId" params={{ runId }}>
          Open the run
        </Link>
      )}
      {runId !== undefined && <AnswerFeedback runId={runId} />}
    </div>
  )
}

/** Returns the tokens of a run in words. */
export const describeUsage = ({ input_tokens: input, output_tokens: output, estimated }: Usage): string =>
  `${estimated ? 'about ' : ''}${formatNumber(input)} tokens in, ${formatNumber(output)} out`
