import type { Budget } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Operation } from '../context.ts'
import { unlimited } from '../runs/budgets.ts'
import { costView } from '../runs/run-view.ts'
import { findAgent } from '../store/agents/agents.ts'
import { type BudgetOwner, readBudgetUse, readWorkspaceBudget, writeWorkspaceBudget } from '../store/runs/budget-use.ts'

export const getBudget: Operation<'getBudget'> = ({ database }, { workspaceId, ...caller }) =>
  database.read({ workspaceId, ...caller }, (_db, query) => workspaceBudgetView(query, workspaceId))

export const updateBudget: Operation<'updateBudget'> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    tx.audit({ changes: { fields: Object.keys(body) } })
    await writeWorkspaceBudget(tx.query, caller.workspaceId, body)
    return workspaceBudgetView(tx.query, caller.workspaceId)
  })

export const getAgentBudget: Operation<'getAgentBudget'> = ({ database }, caller, { params: { agent_id: agentId } }) =>
  database.read(caller, async (db, query) => {
    const { budget } = await findAgent(db, caller.workspaceId, agentId)
    return { agent_id: agentId, ...(await budgetView(query, caller.workspaceId, { agentId }, budget)) }
  })

async function workspaceBudgetView(query: Query, workspaceId: string) {
  const budget = { ...unlimited, ...(await readWorkspaceBudget(query, workspaceId)) }
  return { workspace_id: workspaceId, ...(await budgetView(query, workspaceId, 'workspace', budget)) }
}

async function budgetView(query: Query, workspaceId: string, owner: BudgetOwner, budget: Budget) {
  const currency = budget.cost_per_day?.currency ?? budget.cost_per_run?.currency ?? null
  const use = await readBudgetUse(query, workspaceId, owner, currency)
  const { runs, tokens, costMicros, unpricedRuns } = use
  return {
    budget,
    used_today: { runs, tokens, cost: costView(costMicros, use.currency), runs_without_cost: unpricedRuns },
  }
}
