import type { Citation, JobError, RunFinishReason } from '@wp/contracts'
import type { Query, Transaction } from '@wp/database'
import { type Job, resumeJob } from '@wp/jobs'
import { costOf, type ModelPrice } from '../models/price.ts'
import { estimateTokens } from '../models/usage.ts'
import { appendMessages } from '../store/conversations/messages.ts'
import { appendLastEvents, readOutput } from '../store/runs/run-events.ts'
import { endSteps } from '../store/runs/run-steps.ts'
import { type CallUsage, lockRun, type Run, writeEnd } from '../store/runs/runs.ts'
import type { Chunk } from '../streams/chunk.ts'
import type { LiveEvents } from '../streams/live-events.ts'
import { evaluationQueue } from './queue.ts'
import { reportTokens, usageDimensions } from './report-tokens.ts'
import type { RunWarning } from './run-input.ts'
import { usageView } from './run-view.ts'

/** The way a run ends. */
export type RunEnding =
  | { status: 'finished'; finishReason: RunFinishReason; warnings: readonly RunWarning[] }
  | { status: 'failed'; error: JobError }
  | { status: 'cancelled' }

/**
 * Ends a run in the transaction that ends its job: the last event of its stream, output, use and events. The use of a
 * model call in progress is estimated. Does nothing if the run has ended.
 */
export async function endRun(tx: Transaction, live: LiveEvents, job: Job, ending: RunEnding): Promise<void> {
  const key = { runId: job.id, workspaceId: job.workspaceId }
  const run = await lockRun(tx.query, key)
  if (run === null || run.endedAt !== null) return
  const usage = finalUsage(run)
  const chunks = lastChunks(job, ending, usage)
  await endSteps(tx.query, key)
  const { text, citations } = await readOutput(tx.query, key)
  const cited = citations as Citation[] // written by model-step.ts
  await appendLastEvents(tx.query, key, run.lastSeq, chunks)
  const { finishReason, warnings } = ending.status === 'finished' ? ending : { finishReason: null, warnings: [] }
  await writeEnd(tx.query, key, { output: text, citations, finishReason, warnings, ...usage })
  const { conversationId } = run
  if (conversationId !== null)
    await appendAnswer(tx.query, { ...key, conversationId, content: text ?? '', citations: cited })
  // An evaluation has events of its own: its runs must not set off triggers and webhooks.
  if (run.evaluationId === null) emitEnd(tx, run, ending)
  else await resumeJob(tx, { id: run.evaluationId, queue: evaluationQueue, workspaceId: job.workspaceId })
  if (job.startedAt !== null) reportRest(tx, job, run)
  tx.afterCommit(() => live.publish(job.id, { firstSeq: run.lastSeq + 1, chunks }))
}

/** Ends a run whose job has failed, whatever the reason: the model, lost leases, a revoked caller. */
export const failRun = (tx: Transaction, live: LiveEvents, job: Job): Promise<void> =>
  endRun(tx, live, job, {
    status: 'failed',
    error: job.error ?? { code: 'internal_error', message: 'The run failed', retryable: true },
  })

function finalUsage(run: Run): CallUsage {
  const { inputTokens, outputTokens, isEstimated, callInputTokens } = run
  const call = usageOfCall(run)
  const callPrice = run.callPrice as ModelPrice | null // written by model-step.ts
  const callCost = callInputTokens === 0 ? 0 : costOf(callPrice, call)
  return {
    inputTokens: inputTokens + call.inputTokens,
    outputTokens: outputTokens + call.outputTokens,
    isEstimated: isEstimated || callInputTokens > 0,
    costMicros: run.costMicros === null || callCost === null ? null : run.costMicros + callCost,
  }
}

/** Estimates the use of the call in progress. */
const usageOfCall = ({ callInputTokens, callOutputLength }: Run) => ({
  inputTokens: callInputTokens,
  outputTokens: callInputTokens === 0 ? 0 : estimateTokens(callOutputLength),
})

function lastChunks(job: Job, ending: RunEnding, usage: CallUsage): Chunk[] {
  if (ending.status === 'cancelled') return [{ type: 'abort', reason: 'The run was cancelled' }]
  if (ending.status === 'failed') return [{ type: 'error', errorText: `${ending.error.code}: ${ending.error.message}` }]
  const { inputTokens, outputTokens, isEstimated } = usage
  const metadata = { run_id: job.id, usage: usageView(inputTokens, outputTokens, isEstimated) }
  return [{ type: 'finish', finishReason: chunkReasons[ending.finishReason], messageMetadata: metadata }]
}

/** The names of the AI SDK. */
const chunkReasons = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  budget: 'other',
  other: 'other',
} as const satisfies Record<RunFinishReason, string>

/** Events are about agents: a chat without an agent has none. */
function emitEnd(tx: Transaction, { runId, agentId }: Run, ending: RunEnding): void {
  if (agentId === null) return
  if (ending.status === 'finished')
    tx.emit({ kind: 'AGENT_RUN_FINISHED', data: { id: runId, status: 'finished', agent_id: agentId } })
  if (ending.status === 'failed') {
    const { code, message } = ending.error
    tx.emit({
      kind: 'AGENT_RUN_FAILED',
      data: { id: runId, status: 'failed', agent_id: agentId, error: { code, message } },
    })
  }
}

/** Reports the run, and the call of the model in progress: those that have ended were reported at their ends. */
function reportRest(tx: Transaction, job: Job, run: Run): void {
  const { agentId } = run
  if (agentId !== null)
    tx.recordUsage({ meter: 'agent_runs', quantity: 1, subject: job.id, dimensions: usageDimensions(job, agentId) })
  reportTokens(tx, job, agentId, usageOfCall(run))
}

interface Answer {
  workspaceId: string
  conversationId: string
  runId: string
  /** An answer without text is not stored. */
  content: string
  citations: readonly Citation[]
}

/**
 * Adds the answer of a run to its conversation, in the transaction that ends the run. Its message has the id of the
 * run. Does nothing if the conversation was deleted.
 */
async function appendAnswer(query: Query, { content, citations, runId, ...key }: Answer): Promise<void> {
  if (content.trim() === '') return
  await appendMessages(query, key, [{ messageId: runId, role: 'assistant', content, citations, runId }])
}
