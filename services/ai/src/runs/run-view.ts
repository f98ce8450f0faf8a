import type { AgentRun, ai, Cost, Usage, WorkspaceCaller } from '@wp/contracts'
import type { Query } from '@wp/database'
import { getJob, jobFields } from '@wp/jobs'
import type { z } from 'zod'
import { estimateTokens } from '../models/usage.ts'
import type { ListedRun } from '../store/runs/list-runs.ts'
import { readOutput } from '../store/runs/run-events.ts'
import { listSteps, type RunStep } from '../store/runs/run-steps.ts'
import { findReadableRun, findRun, type Run, type RunKey } from '../store/runs/runs.ts'
import { agentRunQueue } from './queue.ts'
import type { UnredactedRun } from './redact-run.ts'
import type { RunInput } from './run-input.ts'

/**
 * Reads a run with all of its content; null if there is none, or if it belongs to a conversation of another principal.
 */
export function readRunView(
  query: Query,
  key: RunKey,
  { principal }: Pick<WorkspaceCaller, 'principal'>,
): Promise<UnredactedRun | null> {
  return viewOf(query, key, () => findReadableRun(query, key, principal.id))
}

/** Reads a run for the request that started it, also after the deletion of its conversation. */
export const readStartedRunView = (query: Query, key: RunKey): Promise<UnredactedRun | null> =>
  viewOf(query, key, () => findRun(query, key))

async function viewOf(query: Query, key: RunKey, find: () => Promise<Run | null>): Promise<UnredactedRun | null> {
  // The job first: a run that its job calls finished then has its warnings and the reason of its end.
  const [job, run, steps] = await Promise.all([
    getJob(query, { id: key.runId, queue: agentRunQueue, workspaceId: key.workspaceId }),
    find(),
    listSteps(query, key),
  ])
  if (job === null || run === null) return null
  const written = run.endedAt === null ? await readOutput(query, key) : { text: run.output, citations: run.citations }
  return {
    ...runFields(run),
    ...jobFields(job),
    metadata: job.metadata,
    external_id: job.externalId,
    input: (job.input as RunInput).shown, // written by start-run.ts
    output: written.text,
    finish_reason: run.finishReason as AgentRun['finish_reason'], // written by end-run.ts
    citations: written.citations as AgentRun['citations'], // written by model-step.ts
    steps: steps.map(stepView),
    approvals: steps.flatMap(approvalView),
    warnings: run.warnings as AgentRun['warnings'], // written by end-run.ts
  }
}

type Summary = z.input<typeof ai.listRuns.list>

export const runSummaryView = (run: ListedRun): Summary => ({
  ...runFields(run),
  ...jobFields({ ...run, state: run.status }),
  metadata: run.metadata,
  external_id: run.externalId,
})

/** Returns a cost in minor units. */
export const costView = (costMicros: number | null, currency: string | null): Cost | null =>
  costMicros === null || currency === null ? null : { amount: costMicros / 1_000_000, currency }

/** Returns the use of tokens. @param estimated true if the provider does not report all of it */
export const usageView = (input: number, output: number, estimated: boolean): Usage => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  estimated,
})

/** The use includes that of a model call in progress, as far as it is known. */
function runFields(run: Run) {
  const input = run.inputTokens + run.callInputTokens
  const output = run.outputTokens + estimateTokens(run.callOutputLength)
  return {
    id: run.runId,
    agent_id: run.agentId,
    agent_version: run.agentVersion,
    conversation_id: run.conversationId,
    trigger_id: run.triggerId,
    evaluation_id: run.evaluationId,
    usage: usageView(input, output, run.isEstimated || run.callInputTokens > 0),
    cost: costView(run.costMicros, run.currency),
  }
}

const stepView = (step: RunStep): AgentRun['steps'][number] => ({
  id: step.callId,
  tool: step.tool,
  integration_id: step.integrationId,
  title: step.title,
  input: step.input,
  output: step.output,
  status: step.status,
  duration_ms: step.durationMs,
  usage: step.usage as AgentRun['usage'] | null, // written by tool-step.ts
  error: step.error,
})

const approvalView = ({ approval, decidedBy, decidedAt, ...step }: RunStep): AgentRun['approvals'] => {
  if (approval === null) return []
  const { callId: id, tool, integrationId: integration_id, title, input } = step
  const decision = { status: approval, decided_by: decidedBy, decided_at: decidedAt?.toISOString() ?? null }
  return [{ id, tool, integration_id, title, input, ...decision }]
}
