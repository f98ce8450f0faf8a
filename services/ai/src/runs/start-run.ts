import { type Autonomy, Problem, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { enforceMeters, enforceQuota, newId, type Transaction } from '@wp/database'
import { enqueue, findExclusiveJob, type Job, JobConflict } from '@wp/jobs'
import type { Agent } from '../store/agents/agents.ts'
import { readWorkspaceBudget } from '../store/runs/budget-use.ts'
import { appendLastEvents } from '../store/runs/run-events.ts'
import { insertRun } from '../store/runs/runs.ts'
import { lowestAutonomy } from '../tools/autonomy.ts'
import { enforceBudget } from './budgets.ts'
import { agentRunQueue, agentRunQuota } from './queue.ts'
import type { RunInput } from './run-input.ts'

/** A run to start. */
export interface NewRunRequest {
  /** The agent and its pinned version; null for a chat without an agent. */
  agent: Pick<Agent, 'agentId' | 'version' | 'budget' | 'autonomy'> | null
  /** The conversation that it continues. At most one run of a conversation is in progress. */
  conversationId: string | null
  input: RunInput
  metadata?: Record<string, string>
  externalId?: string | null
  /** Default: a new one. */
  runId?: string
  /** Set for a run that a trigger starts. */
  trigger?: { triggerId: string; depth: number; autonomy: Autonomy | null }
  /** Set for a run that answers or grades a case. */
  evaluationId?: string
}

/**
 * Starts a run in the transaction: its job, and the first event of its stream.
 * @throws Problem `conversation_busy` with the run in progress; `quota_exceeded`, also for the budget of the agent
 */
export async function startRun(
  tx: Transaction,
  caller: RequestCaller<WorkspaceCaller>,
  { agent, conversationId, input, metadata, externalId, runId = newId('run'), trigger, ...of }: NewRunRequest,
): Promise<Job> {
  const { request: _request, ...stored } = caller
  const { workspaceId } = caller
  const autonomy = lowestAutonomy([agent?.autonomy, trigger?.autonomy].filter((level) => typeof level === 'string'))
  const job = {
    id: runId,
    queue: agentRunQueue,
    subject: agent?.agentId,
    exclusive: conversationId,
    input: { ...input, autonomy },
    caller: stored,
  }
  // Before the quota is locked, for which the requests of a workspace without included use must not wait. The use of a
  // chat without an agent is counted in tokens alone.
  const meters = enforceMeters(tx.query, workspaceId, agent === null ? tokenMeters : ['agent_runs', ...tokenMeters])
  const enqueued = enqueue(tx, { ...job, metadata, externalId }).catch((error: unknown) =>
    error instanceof JobConflict ? refuseBusy(tx, workspaceId, conversationId ?? '') : Promise.reject(error),
  )
  const [started] = await Promise.all([enqueued, meters])
  const run = {
    runId,
    workspaceId,
    agentId: agent?.agentId ?? null,
    agentVersion: agent?.version ?? null,
    conversationId,
    triggerId: trigger?.triggerId ?? null,
    triggerDepth: trigger?.depth ?? 0,
    evaluationId: of.evaluationId ?? null,
  }
  // Sent together: the transaction runs them in this order, and the first that fails is the error.
  const inserted = insertRun(tx.query, run)
  const begun = appendLastEvents(tx.query, run, 0, [{ type: 'start', messageId: runId }])
  const counted = enforceQuota(tx.query, workspaceId, agentRunQuota)
  const workspaceBudget = readWorkspaceBudget(tx.query, workspaceId)
  await Promise.all([inserted, begun, counted, workspaceBudget])
  // The quota is locked, so that the runs of an agent are counted one after another.
  if (agent !== null) {
    const { agentId, budget } = agent
    await enforceBudget(tx.query, { workspaceId, owner: { agentId }, budget }, 1)
  }
  const budget = await workspaceBudget
  if (budget !== null) await enforceBudget(tx.query, { workspaceId, owner: 'workspace', budget }, 1)
  return started
}

const tokenMeters = ['tokens_in', 'tokens_out'] as const

async function refuseBusy(tx: Transaction, workspaceId: string, conversationId: string): Promise<never> {
  const busy = await findExclusiveJob(tx.query, { workspaceId, queue: agentRunQueue, exclusive: conversationId })
  // The run may have ended since.
  if (busy === undefined) throw new Problem('conversation_busy')
  throw problem('conversation_busy', {
    detail: `The run ${busy} of the conversation is in progress`,
    extra: { run_id: busy },
  })
}
