import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage, workspaceRoute } from '../routing/root-routes.tsx'
import { agentStates, runStates } from './shared/states.ts'

const agentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'agents/$agentId',
  component: lazyRouteComponent(() => import('./pages/agent-page.tsx'), 'AgentPage'),
})

/** Routes created within the call of `addChildren` would have no types. */
const tabs = [
  createRoute({
    getParentRoute: () => agentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./playground/agent-playground.tsx'), 'AgentPlayground'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'configuration',
    component: lazyRouteComponent(() => import('./pages/agent-configuration.tsx'), 'AgentConfiguration'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'automation',
    component: lazyRouteComponent(() => import('./automation/agent-automation.tsx'), 'AgentAutomation'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'versions',
    validateSearch: (search) => readText(search, 'cursor'),
    component: lazyRouteComponent(() => import('./pages/agent-versions.tsx'), 'AgentVersions'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'evaluations',
    validateSearch: (search) => readText(search, 'cursor'),
    component: lazyRouteComponent(() => import('./evaluations/agent-evaluations.tsx'), 'AgentEvaluations'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'runs',
    validateSearch: (search) => ({ ...readText(search, 'cursor'), ...readOneOf(search, 'status', runStates) }),
    component: lazyRouteComponent(() => import('./runs/agent-runs.tsx'), 'AgentRuns'),
  }),
] as const

export const agentRoutes = [
  workspacePage(
    'agents',
    lazyRouteComponent(() => import('./pages/agents-page.tsx'), 'AgentsPage'),
    (search) => ({
      ...readText(search, 'search', 'blueprint_id', 'cursor'),
      ...readOneOf(search, 'status', agentStates),
    }),
  ),
  workspacePage(
    'agents/new',
    lazyRouteComponent(() => import('./pages/new-agent-page.tsx'), 'NewAgentPage'),
    (search) => readText(search, 'blueprint'),
  ),
  workspacePage(
    'agents/blueprints',
    lazyRouteComponent(() => import('./pages/blueprints-page.tsx'), 'BlueprintsPage'),
    (search) => ({ ...readText(search, 'search', 'cursor'), ...readFlag(search, 'create') }),
  ),
  workspacePage(
    'agents/blueprints/$blueprintId',
    lazyRouteComponent(() => import('./pages/blueprint-page.tsx'), 'BlueprintPage'),
    (search) => readFlag(search, 'edit'),
  ),
  workspacePage(
    'agents/budget',
    lazyRouteComponent(() => import('./automation/budget-page.tsx'), 'BudgetPage'),
  ),
  workspacePage(
    'agents/runs',
    lazyRouteComponent(() => import('./runs/runs-page.tsx'), 'RunsPage'),
    (search) => ({
      ...readText(search, 'agent_id', 'conversation_id', 'external_id', 'cursor'),
      ...readOneOf(search, 'status', runStates),
    }),
  ),
  workspacePage(
    'agents/runs/$runId',
    lazyRouteComponent(() => import('./runs/run-page.tsx'), 'RunPage'),
  ),
  workspacePage(
    'agents/conversations',
    lazyRouteComponent(() => import('./playground/conversations-page.tsx'), 'ConversationsPage'),
    (search) => readText(search, 'agent_id', 'conversation', 'cursor'),
  ),
  workspacePage(
    'agents/evaluation-sets',
    lazyRouteComponent(() => import('./evaluations/sets-page.tsx'), 'EvaluationSetsPage'),
    (search) => readText(search, 'search', 'cursor'),
  ),
  workspacePage(
    'agents/evaluation-sets/$setId',
    lazyRouteComponent(() => import('./evaluations/set-page.tsx'), 'EvaluationSetPage'),
    (search) => readText(search, 'cursor'),
  ),
  workspacePage(
    'agents/evaluations/$evaluationId',
    lazyRouteComponent(() => import('./evaluations/evaluation-page.tsx'), 'EvaluationPage'),
  ),
  agentRoute.addChildren(tabs),
] as const
