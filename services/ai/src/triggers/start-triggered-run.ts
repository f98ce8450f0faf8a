import { type DomainEvent, NewAgentRun, Problem, quotaExceeded, quotas } from '@wp/contracts'
import { enforceMeters, fitsQuota, newId } from '@wp/database'
import { getRunnableAgent } from '../agents/get-runnable-agent.ts'
import { validateInput } from '../agents/input-schema/input-schema.ts'
import { enforceBudget } from '../runs/budgets.ts'
import { agentRunQuota } from '../runs/queue.ts'
import { behaviourOf } from '../runs/run-input.ts'
import { startRun } from '../runs/start-run.ts'
import type { Agent } from '../store/agents/agents.ts'
import type { Tx } from '../store/client.ts'
import { readWorkspaceBudget } from '../store/runs/budget-use.ts'
import { recordSkipped, recordTriggeredRun } from '../store/triggers/occasions.ts'
import type { Trigger } from '../store/triggers/triggers.ts'

/** The time or the event at which a trigger starts a run. */
export interface Occasion {
  at: Date
  event?: DomainEvent
  /** Number of runs that triggers have started in the chain of causes that leads here. */
  depth: number
}

/** Runs in one chain of causes: agents that trigger each other stop here. */
export const maxTriggerDepth = 3

/**
 * Starts the run of an occasion, or notes why there is none: a budget, the queue of the workspace, an agent that is
 * archived or does not take the input. The transaction has locked the trigger.
 */
export async function startTriggeredRun(tx: Tx, trigger: Trigger, occasion: Occasion): Promise<void> {
  try {
    await startRunOf(tx, trigger, occasion)
  } catch (error) {
    // Thrown before anything was written.
    if (!(error instanceof Problem)) throw error
    const key = { workspaceId: trigger.caller.workspaceId, id: trigger.id }
    await recordSkipped(tx.query, key, error.detail ?? error.title, occasion.at)
  }
}

/**
 * Starts the run of an occasion. The transaction has locked the trigger.
 * @throws Problem with the reason why there is none, before anything is written
 */
export async function startRunOf(tx: Tx, trigger: Trigger, occasion: Occasion): Promise<void> {
  const { workspaceId } = trigger.caller
  const input = inputOf(trigger, occasion)
  const agent = await findAgentWithRoom(tx, trigger, input, occasion)
  const runId = newId('run')
  const { max_steps: maxSteps, timeout_ms: timeoutMs } = NewAgentRun.parse({ input: 'the defaults of a request' })
  await startRun(
    tx,
    { ...trigger.caller, requestId: runId },
    {
      runId,
      agent,
      conversationId: null,
      input: {
        behaviour: behaviourOf(agent.content),
        messages: [{ role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }],
        shown: input,
        maxSteps,
        maxTokens: undefined,
        timeoutMs,
      },
      trigger: { triggerId: trigger.id, depth: occasion.depth + 1, autonomy: trigger.autonomy },
    },
  )
  await recordTriggeredRun(tx.query, { workspaceId, id: trigger.id }, runId, occasion.at)
}

/** @throws Problem with the reason why no run may start */
async function findAgentWithRoom(tx: Tx, trigger: Trigger, input: unknown, { depth }: Occasion): Promise<Agent> {
  const { agentId } = trigger
  const { workspaceId } = trigger.caller
  if (depth >= maxTriggerDepth)
    throw new Problem('conflict', {
      detail: `The event was caused by ${maxTriggerDepth} runs in a row that triggers had started`,
    })
  const agent = await getRunnableAgent(tx, workspaceId, agentId)
  validateInput(agent.content.inputSchema, input)
  await enforceMeters(tx.query, workspaceId, ['agent_runs', 'tokens_in', 'tokens_out'])
  // Locks the queue, so that the runs of the agent are counted one after another.
  if (!(await fitsQuota(tx.query, workspaceId, agentRunQuota))) {
    const { limit } = quotas.queued_jobs
    throw quotaExceeded(agentRunQuota, { limit, current: limit, added: 1 })
  }
  await enforceBudget(tx.query, { workspaceId, owner: { triggerId: trigger.id }, budget: trigger.budget }, 0)
  await enforceBudget(tx.query, { workspaceId, owner: { agentId }, budget: agent.budget }, 0)
  const budget = await readWorkspaceBudget(tx.query, workspaceId)
  if (budget !== null) await enforceBudget(tx.query, { workspaceId, owner: 'workspace', budget }, 0)
  return agent
}

/** Characters of the payload of an event that a run is given. */
const maxEventLength = 16_000

/** Returns the input of a run with the event that caused it: below a question, or as a member of an object. */
function inputOf({ input }: Trigger, { event }: Occasion): string | Record<string, unknown> {
  if (event === undefined) return input
  const { id, kind, occurred_at } = event
  const isShort = JSON.stringify(event.data).length <= maxEventLength
  const shown = { id, kind, occurred_at, data: isShort ? event.data : { truncated: true } }
  return typeof input === 'string' ? `${input}\n\nEvent:\n${JSON.stringify(shown)}` : { ...input, event: shown }
}
