import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { agentStates } from './shared/agent-states.ts'
import { runStates } from './shared/run-states.ts'

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
    path: 'versions',
    validateSearch: (search) => readText(search, 'cursor'),
    component: lazyRouteComponent(() => import('./pages/agent-versions.tsx'), 'AgentVersions'),
  }),
  createRoute({
    getParentRoute: () => agentRoute,
    path: 'runs',
    validateSearch: (search) => ({ ...readText(search, 'cursor'), ...readOneOf(search, 'status', runStates) }),
    component: lazyRouteComponent(() => import('./runs/agent-runs.tsx'), 'AgentRuns'),
  }),
] as const

export const agentRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents',
    validateSearch: (search) => ({
      ...readText(search, 'name', 'blueprint_id', 'cursor'),
      ...readOneOf(search, 'status', agentStates),
    }),
    component: lazyRouteComponent(() => import('./pages/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/new',
    validateSearch: (search) => readText(search, 'blueprint'),
    component: lazyRouteComponent(() => import('./pages/new-agent-page.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/blueprints',
    validateSearch: (search) => ({ ...readText(search, 'name', 'cursor'), ...readFlag(search, 'create') }),
    component: lazyRouteComponent(() => import('./pages/blueprints-page.tsx'), 'BlueprintsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/blueprints/$blueprintId',
    validateSearch: (search) => readFlag(search, 'edit'),
    component: lazyRouteComponent(() => import('./pages/blueprint-page.tsx'), 'BlueprintPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/runs',
    validateSearch: (search) => ({
      ...readText(search, 'agent_id', 'conversation_id', 'external_id', 'cursor'),
      ...readOneOf(search, 'status', runStates),
    }),
    component: lazyRouteComponent(() => import('./runs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/runs/$runId',
    component: lazyRouteComponent(() => import('./runs/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/conversations',
    validateSearch: (search) => readText(search, 'agent_id', 'conversation', 'cursor'),
    component: lazyRouteComponent(() => import('./playground/conversations-page.tsx'), 'ConversationsPage'),
  }),
  agentRoute.addChildren(tabs),
] as const
