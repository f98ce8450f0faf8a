import type { Autonomy, Budget, BudgetPatch } from '@wp/contracts'
import type { Query } from '@wp/database'
import { toJsonb } from '../storable-json.ts'
import type { RunKey } from './runs.ts'

/** The use of the runs of a workspace, an agent or a trigger. */
export interface BudgetUse {
  runs: number
  tokens: number
  /** In the currency that was asked for, or else that of the most runs; null if no run has one. */
  currency: string | null
  costMicros: number
  /** Runs without a cost in this currency. */
  unpricedRuns: number
}

/** Whose runs are counted: `workspace` for all of them. */
export type BudgetOwner = { agentId: string } | { triggerId: string } | 'workspace'

/**
 * Returns the use of the runs that were started on this day (UTC), with those in progress.
 * @param currency of the cost; null for that of the most runs
 */
export async function readBudgetUse(
  query: Query,
  workspaceId: string,
  owner: BudgetOwner,
  currency: string | null,
): Promise<BudgetUse> {
  const [column, id] = columnOf(owner, workspaceId)
  const [use] = await query<BudgetUse>(
    `WITH today AS (
       SELECT input_tokens, output_tokens, call_input_tokens, cost_micros, call_price, currency
       FROM runs WHERE workspace_id = $1 AND ${column} = $2 AND created_at >= date_trunc('day', now(), 'UTC')),
     chosen AS (SELECT coalesce($3, mode() WITHIN GROUP (ORDER BY currency)) AS currency FROM today)
     SELECT count(today.*)::integer AS runs,
       coalesce(sum(input_tokens + output_tokens + call_input_tokens), 0)::float8 AS tokens,
       chosen.currency,
       coalesce(sum(cost_micros + call_input_tokens * coalesce((call_price ->> 'input')::float8, 0))
         FILTER (WHERE today.currency = chosen.currency), 0)::float8 AS cost_micros,
       count(today.*) FILTER (WHERE cost_micros IS NULL OR today.currency <> chosen.currency)::integer AS unpriced_runs
     FROM chosen LEFT JOIN today ON true GROUP BY chosen.currency`,
    [workspaceId, id, currency],
  )
  return use ?? { runs: 0, tokens: 0, currency, costMicros: 0, unpricedRuns: 0 }
}

function columnOf(owner: BudgetOwner, workspaceId: string): [column: string, id: string] {
  if (owner === 'workspace') return ['workspace_id', workspaceId]
  return 'agentId' in owner ? ['agent_id', owner.agentId] : ['trigger_id', owner.triggerId]
}

/** The use of a run so far, and the budgets and levels of autonomy that hold for it as they are now. */
export interface RunBudgets {
  tokens: number
  /** Null if it is not known. */
  costMicros: number | null
  currency: string | null
  workspace: Budget | null
  /** Null for a chat without an agent, or one that was deleted. */
  agent: Budget | null
  trigger: Budget | null
}

export async function readRunBudgets(query: Query, { runId, workspaceId }: RunKey): Promise<RunBudgets> {
  const [row] = await query<RunBudgets>(
    `SELECT (run.input_tokens + run.output_tokens)::float8 AS tokens, run.cost_micros::float8 AS cost_micros, run.currency,
       workspace.budget AS workspace, agent.budget AS agent, trigger.budget AS trigger
     FROM runs AS run
     LEFT JOIN workspace_budgets AS workspace ON workspace.workspace_id = run.workspace_id
     LEFT JOIN agents AS agent ON agent.workspace_id = run.workspace_id AND agent.id = run.agent_id
     LEFT JOIN triggers AS trigger ON trigger.workspace_id = run.workspace_id AND trigger.id = run.trigger_id
     WHERE run.run_id = $1 AND run.workspace_id = $2`,
    [runId, workspaceId],
    'read_run_budgets',
  )
  return row ?? { tokens: 0, costMicros: 0, currency: null, workspace: null, agent: null, trigger: null }
}

/** Returns the levels of autonomy of the agent and the trigger of a run as they are now, those that there are. */
export async function readAutonomy(query: Query, { runId, workspaceId }: RunKey): Promise<Autonomy[]> {
  const [row] = await query<{ agent: Autonomy | null; trigger: Autonomy | null }>(
    `SELECT agent.autonomy AS agent, trigger.autonomy AS trigger
     FROM runs AS run
     LEFT JOIN agents AS agent ON agent.workspace_id = run.workspace_id AND agent.id = run.agent_id
     LEFT JOIN triggers AS trigger ON trigger.workspace_id = run.workspace_id AND trigger.id = run.trigger_id
     WHERE run.run_id = $1 AND run.workspace_id = $2`,
    [runId, workspaceId],
  )
  return [row?.agent, row?.trigger].filter((level) => level !== null && level !== undefined)
}

/** Returns the budget of a workspace; null if it has none. */
export async function readWorkspaceBudget(query: Query, workspaceId: string): Promise<Budget | null> {
  const text = 'SELECT budget FROM workspace_budgets WHERE workspace_id = $1'
  const [row] = await query<{ budget: Budget }>(text, [workspaceId], 'read_workspace_budget')
  return row?.budget ?? null
}

/** Changes members of the budget of a workspace. */
export async function writeWorkspaceBudget(query: Query, workspaceId: string, patch: BudgetPatch): Promise<void> {
  await query(
    `INSERT INTO workspace_budgets AS stored (workspace_id, budget) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET budget = stored.budget || excluded.budget, updated_at = now()`,
    [workspaceId, toJsonb(patch)],
  )
}

/** Returns the depth of a run in its chain of triggers; 0 for one that was requested, or is not of this service. */
export async function readTriggerDepth(query: Query, { runId, workspaceId }: RunKey): Promise<number> {
  const [run] = await query<{ triggerDepth: number }>(
    'SELECT trigger_depth FROM runs WHERE run_id = $1 AND workspace_id = $2',
    [runId, workspaceId],
  )
  return run?.triggerDepth ?? 0
}
