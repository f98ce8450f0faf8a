import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { AgentBudget, BudgetPatch, WorkspaceBudget } from './budget-shapes.ts'
import { triggersPath } from './trigger-shapes.ts'

/** Budgets of agents, and of the workspace for all of its runs. */
export const agentBudgets = declareEndpoints('agents', {
  getBudget: {
    method: 'GET',
    path: '/v1/agents/budget',
    summary: 'Read the budget of the workspace for runs, and the use of the day',
    description: 'The budget holds for all runs of agents and chats together, beside those of agents and triggers.',
    scope: 'agents:read',
    ok: WorkspaceBudget,
    volatile: ['used_today'],
  },
  updateBudget: {
    method: 'PATCH',
    path: '/v1/agents/budget',
    summary: 'Change the budget of the workspace for runs',
    description:
      'Members that are named change; null removes a limit. It counts at once: runs in progress end before their next step. ' +
      'With a limit in money, runs of a model without a price in its currency are refused.',
    scope: 'workspace:write',
    body: BudgetPatch,
    ok: WorkspaceBudget,
    volatile: ['used_today'],
    audit: { action: 'agent_budget.updated', target: 'workspace', field: 'workspace_id' },
  },
  getAgentBudget: {
    method: 'GET',
    path: '/v1/agents/agents/{agent_id}/budget',
    summary: 'Read the budget of an agent, and the use of the day',
    description: 'The use counts all runs of the agent that were started on this day (UTC), also those in progress.',
    scope: 'agents:read',
    params: triggersPath,
    ok: AgentBudget,
  },
})
