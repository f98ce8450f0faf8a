import { pagesBelow, workspacePage } from '../routing/root-routes.tsx'
import { agentStates, runStates } from './shared/states.ts'

const agentRoute = workspacePage('agents/$agentId', () => import('./pages/agent-page.tsx'), 'AgentPage')
const agentTab = pagesBelow(agentRoute)

/** Routes created within the call of `addChildren` would have no types. */
const tabs = [
  agentTab('/', () => import('./playground/agent-playground.tsx'), 'AgentPlayground'),
  agentTab('configuration', () => import('./pages/agent-configuration.tsx'), 'AgentConfiguration'),
  agentTab('automation', () => import('./automation/agent-automation.tsx'), 'AgentAutomation'),
  agentTab('versions', () => import('./pages/agent-versions.tsx'), 'AgentVersions', { cursor: 'text' }),
  agentTab('evaluations', () => import('./evaluations/agent-evaluations.tsx'), 'AgentEvaluations', { cursor: 'text' }),
  agentTab('runs', () => import('./runs/agent-runs.tsx'), 'AgentRuns', { cursor: 'text', status: runStates }),
] as const

export const agentRoutes = [
  workspacePage('agents', () => import('./pages/agents-page.tsx'), 'AgentsPage', {
    search: 'text',
    blueprint_id: 'text',
    cursor: 'text',
    status: agentStates,
  }),
  workspacePage('agents/new', () => import('./pages/new-agent-page.tsx'), 'NewAgentPage', { blueprint: 'text' }),
  workspacePage('agents/blueprints', () => import('./pages/blueprints-page.tsx'), 'BlueprintsPage', {
    search: 'text',
    cursor: 'text',
    create: 'flag',
  }),
  workspacePage('agents/blueprints/$blueprintId', () => import('./pages/blueprint-page.tsx'), 'BlueprintPage', {
    edit: 'flag',
  }),
  workspacePage('agents/budget', () => import('./automation/budget-page.tsx'), 'BudgetPage'),
  workspacePage('agents/runs', () => import('./runs/runs-page.tsx'), 'RunsPage', {
    agent_id: 'text',
    conversation_id: 'text',
    external_id: 'text',
    cursor: 'text',
    status: runStates,
  }),
  workspacePage('agents/runs/$runId', () => import('./runs/run-page.tsx'), 'RunPage'),
  workspacePage('agents/conversations', () => import('./playground/conversations-page.tsx'), 'ConversationsPage', {
    agent_id: 'text',
    conversation: 'text',
    cursor: 'text',
  }),
  workspacePage('agents/evaluation-sets', () => import('./evaluations/sets-page.tsx'), 'EvaluationSetsPage', {
    search: 'text',
    cursor: 'text',
  }),
  workspacePage('agents/evaluation-sets/$setId', () => import('./evaluations/set-page.tsx'), 'EvaluationSetPage', {
    cursor: 'text',
  }),
  workspacePage(
    'agents/evaluations/$evaluationId',
    () => import('./evaluations/evaluation-page.tsx'),
    'EvaluationPage',
  ),
  agentRoute.addChildren(tabs),
] as const
