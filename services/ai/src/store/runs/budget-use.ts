import type { Budget } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { RunKey } from './runs.ts'

/** The use of the runs of an agent or a trigger. */
export interface BudgetUse {
  runs: number
  tokens: number
}

/** Whose runs are counted. */
export type BudgetOwner = { agentId: string } | { triggerId: string }

/** Returns the use of the runs that were started on this day (UTC), with those in progress. */
export async function readBudgetUse(query: Query, workspaceId: string, owner: BudgetOwner): Promise<BudgetUse> {
  const [column, id] = 'agentId' in owner ? ['agent_id', owner.agentId] : ['trigger_id', owner.triggerId]
  const [use] = await query<BudgetUse>(
    `SELECT count(*)::integer AS runs, coalesce(sum(input_tokens + output_tokens + call_input_tokens), 0)::float8 AS tokens
     FROM runs WHERE workspace_id = $1 AND ${column} = $2 
       AND created_at >= date_trunc('day', now(), 'UTC')`,
    [workspaceId, id],
  )
  return use ?? { runs: 0, tokens: 0 }
}

/** The tokens of a run so far, and the budgets that hold for it as they are now. */
export interface RunBudgets {
  tokens: number
  /** Null for a chat without an agent, or one that was deleted. */
  agent: Budget | null
  trigger: Budget | null
}

export async function readRunBudgets(query: Query, { runId, workspaceId }: RunKey): Promise<RunBudgets> {
  const [row] = await query<RunBudgets>(
    `SELECT (run.input_tokens + run.output_tokens)::float8 AS tokens, agent.budget AS agent, trigger.budget AS trigger
     FROM runs AS run
     LEFT JOIN agents AS agent ON agent.workspace_id = run.workspace_id AND agent.id = run.agent_id
     LEFT JOIN triggers AS trigger ON trigger.workspace_id = run.workspace_id AND trigger.id = run.trigger_id
     WHERE run.run_id = $1 AND run.workspace_id = $2`,
    [runId, workspaceId],
  )
  return row ?? { tokens: 0, agent: null, trigger: null }
}

/** Returns the depth of a run in its chain of triggers; 0 for one that was requested, or is not of this service. */
export async function readTriggerDepth(query: Query, { runId, workspaceId }: RunKey): Promise<number> {
  const [run] = await query<{ triggerDepth: number }>(
    'SELECT trigger_depth FROM runs WHERE run_id = $1 AND workspace_id = $2',
    [runId, workspaceId],
  )
  return run?.triggerDepth ?? 0
}
